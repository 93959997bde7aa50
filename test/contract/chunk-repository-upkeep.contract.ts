import { describe, expect, it } from 'vitest';
import { chunk, document, draft, vector } from '../support/chunks.js';
import type { MakeHarness } from './project-stores-harness.js';
import { found, ingest, type Subject, useSubject } from './project-stores-subject.js';

/** What happens to chunks besides being replaced and found. */
export function describeUpkeep(name: string, makeHarness: MakeHarness): void {
  describe(`ChunkRepository, pruning: ${name}`, () => {
    const subject = useSubject(makeHarness);

    it('finds what was created at the boundary or before, to the millisecond', async () => {
      const createdAt = await ingestAt(subject(), '2026-03-01T12:00:00.000Z');
      const stale = [{ id: 'a#0', sourceFile: 'a', unusedSince: createdAt }];
      expect(await staleBefore(subject(), '2026-03-01T11:59:59.999Z')).toEqual([]);
      expect(await staleBefore(subject(), '2026-03-01T12:00:00.000Z')).toEqual(stale);
      expect(await staleBefore(subject(), '2026-03-01T12:00:00.001Z')).toEqual(stale);
    });

    it('counts from the last retrieval where there was one, however old the chunk', async () => {
      const { harness } = subject();
      const old = { createdAt: '2020-01-01T00:00:00.000Z' };
      const lastRetrievedAt = '2026-03-01T12:00:00.000Z';
      await harness.plantForeignChunk(chunk('a', 0, old), { lastRetrievedAt });
      expect(await staleBefore(subject(), '2026-03-01T11:59:59.999Z')).toEqual([]);
      expect(await staleBefore(subject(), '2026-03-01T12:00:00.000Z')).toEqual([
        { id: 'a#0', sourceFile: 'a', unusedSince: lastRetrievedAt },
      ]);
    });

    it('never finds what was retrieved, however long ago', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut']));
      await harness.plantForeignChunk(chunk('b', 0), { retrievalCount: 1 });

      await store.chunks.markRetrieved(['unknown#0', 'a#0'], harness.clock.now());

      const stale = await staleBefore(subject(), '2100-01-01T00:00:00.000Z');
      expect(stale.map(({ id }) => id)).toEqual(['a#1']);
    });

    it('marks nothing for unknown ids or none', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper']));
      await store.chunks.markRetrieved([], harness.clock.now());
      await store.chunks.markRetrieved(['unknown#0'], harness.clock.now());
      expect(await staleBefore(subject(), '2100-01-01T00:00:00.000Z')).toHaveLength(1);
    });

    it('changes nothing in a chunk by its retrieval', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper']));
      const before = await store.chunks.getChunks(['a#0']);
      harness.clock.advance(1000);
      await store.chunks.markRetrieved(['a#0'], harness.clock.now());
      expect(await store.chunks.getChunks(['a#0'])).toEqual(before);
    });

    it('deletes what it finds and nothing else, vectors and index included', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'copper walnut']));
      const texts = ['copper'];
      await store.vectors.put([{ chunkId: 'a#0', texts, vector: vector(1) }]);
      await store.chunks.markRetrieved(['a#1'], harness.clock.now());
      harness.clock.advance(1000);
      const boundary = harness.clock.now();
      await ingest(subject(), document('b', ['copper']));
      const expected = await store.chunks.findNeverRetrievedBefore(boundary);

      expect(await store.chunks.deleteNeverRetrievedBefore(boundary)).toEqual(expected);

      expect(expected.map(({ id }) => id)).toEqual(['a#0']);
      expect((await found(subject(), 'copper')).toSorted()).toEqual(['a#1', 'b#0']);
      expect(await store.vectors.status()).toEqual({ complete: 0, pending: 2 });
      expect(await store.chunks.deleteNeverRetrievedBefore(boundary)).toEqual([]);
    });

    it('keeps a pruned chunk away while its source is unchanged, and the others in place', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut']));
      await store.chunks.markRetrieved(['a#1'], harness.clock.now());
      await store.chunks.deleteNeverRetrievedBefore(harness.clock.now());

      expect(await ingest(subject(), document('a', ['copper', 'walnut']))).toBe('unchanged');
      expect(await found(subject(), 'copper OR walnut')).toEqual(['a#1']);
      expect(await store.chunks.indexedSources()).toMatchObject([
        { sourceFile: 'a', chunkCount: 1 },
      ]);

      await ingest(subject(), document('a', ['copper', 'walnut', 'basalt']));
      expect((await found(subject(), 'copper OR walnut')).toSorted()).toEqual(['a#0', 'a#1']);
    });

    it('remembers a source all of whose chunks were pruned', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper']));
      await store.chunks.deleteNeverRetrievedBefore(harness.clock.now());
      expect(await ingest(subject(), document('a', ['copper']))).toBe('unchanged');
      expect(await store.chunks.getChunks(['a#0'])).toEqual([]);
    });
  });

  describe(`ChunkRepository, questions: ${name}`, () => {
    const subject = useSubject(makeHarness);

    it('asks for questions to chunks with a vector and without questions, newest first', async () => {
      const { store } = subject();
      for (const file of ['a', 'b', 'c', 'd']) await ingest(subject(), document(file, [file]));
      for (const file of ['c', 'a', 'd']) await giveVector(subject(), file);
      await store.chunks.saveQuestions({ id: 'd#0', text: 'd' }, ['Why d?']);

      const expected = [
        { id: 'c#0', text: 'c' },
        { id: 'a#0', text: 'a' },
      ];
      expect(await store.chunks.findWithoutQuestions(10)).toEqual(expected);
      expect(await store.chunks.findWithoutQuestions(1)).toEqual(expected.slice(0, 1));
    });

    it('asks with heading and content', async () => {
      await ingest(subject(), document('a', [draft('content', { heading: 'heading' })]));
      await giveVector(subject(), 'heading\ncontent');
      const text = 'heading\ncontent';
      const { store } = subject();
      expect(await store.chunks.findWithoutQuestions(10)).toEqual([{ id: 'a#0', text }]);
    });

    it('does not ask for a chunk whose vector is of another model', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['a']));
      await harness.plantVector('a#0', vector(1), 'another-model');
      expect(await store.chunks.findWithoutQuestions(10)).toEqual([]);
    });

    it('stores questions in their order', async () => {
      const { store } = subject();
      await ingest(subject(), document('a', ['a']));
      const questions = ['Why?', 'How "so"?', 'Wörüm?'];
      await store.chunks.saveQuestions({ id: 'a#0', text: 'a' }, questions);
      expect(await store.questionVectors.pending(10)).toEqual([
        { chunkId: 'a#0', texts: questions },
      ]);
    });

    it('refuses questions to a text that is gone or has changed', async () => {
      const { store } = subject();
      await ingest(subject(), document('a', [draft('new', { heading: 'x' })]));
      await store.chunks.saveQuestions({ id: 'a#0', text: 'new' }, ['Why?']);
      await store.chunks.saveQuestions({ id: 'a#0', text: 'x\nold' }, ['Why?']);
      await store.chunks.saveQuestions({ id: 'gone#0', text: 'x\nnew' }, ['Why?']);
      expect(await store.questionVectors.pending(10)).toEqual([]);
    });
  });

  describe(`ChunkRepository, stats: ${name}`, () => {
    const subject = useSubject(makeHarness);
    const none = { file: 0, reflection: 0, agent_output: 0, url: 0, manual: 0, generated: 0 };

    it('counts nothing in an empty store', async () => {
      const stats = await subject().store.chunks.stats();
      expect(stats).toMatchObject({ totalChunks: 0, uniqueSources: 0, sourceTypeBreakdown: none });
      expect(stats).not.toHaveProperty('lastUpdated');
      expect(stats.dbPath).toContain(subject().harness.projectPath);
      expect(stats.totalSizeBytes).toBeGreaterThanOrEqual(0);
    });

    it('counts chunks, sources and types, and knows the last update', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('b', ['copper'], 'reflection'));
      await harness.plantForeignChunk(chunk('c', 0, { sourceType: 'url' }));
      await ingest(subject(), document('a', ['copper', 'walnut']));
      expect(await store.chunks.stats()).toMatchObject({
        totalChunks: 4,
        uniqueSources: 3,
        sourceTypeBreakdown: { ...none, file: 2, reflection: 1, url: 1 },
        lastUpdated: harness.clock.now().toISOString(),
      });
    });
  });
}

async function ingestAt(subject: Subject, time: string): Promise<string> {
  subject.harness.clock.set(new Date(Date.parse(time) - 1000));
  await ingest(subject, document('a', ['copper']));
  return time;
}

function staleBefore({ store }: Subject, time: string) {
  return store.chunks.findNeverRetrievedBefore(new Date(time));
}

async function giveVector({ store }: Subject, text: string): Promise<void> {
  const pending = await store.vectors.pending(100);
  await store.vectors.put(
    pending
      .filter((entry) => entry.texts[0] === text)
      .map((entry) => ({ ...entry, vector: vector(1) })),
  );
}
