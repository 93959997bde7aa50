import { expect } from 'vitest';
import type { ProjectStore } from '../../../src/ports/project-stores.js';
import { chunk, document, vector } from '../../support/chunks.js';
import { pruneAll, unretrieved } from '../../support/unretrieved.js';
import { type ContractOptions, contractSuite } from '../harness/contract-suite.js';
import { found, ingest } from '../harness/steps.js';
import { outsideOf } from '../harness/store-harness.js';

/** Later than everything that these tests write. */
const LATER = new Date('2999-01-01');

/** The contract of `RetrievalLog`. */
export function describeRetrievalLog(name: string, options: ContractOptions): void {
  contractSuite(`RetrievalLog: ${name}`, options, ({ it, subject }) => {
    it('reports for each chunk, also of other programs, when it was created and how it was used', async () => {
      const { harness, store } = subject();
      const createdAt = '2025-06-01T00:00:00.000Z';
      const use = { retrievalCount: 2, lastRetrievedAt: '2025-07-01T00:00:00.000Z' };
      await outsideOf(harness).plantForeignChunk(chunk('used', 0, { createdAt }), use);
      await outsideOf(harness).plantForeignChunk(chunk('unused', 0, { createdAt }));
      const { lastRetrievedAt, retrievalCount: retrievals } = use;
      await outsideOf(harness).plantForeignChunk(chunk('uncounted', 0), { lastRetrievedAt });
      const entries = await store.chunks.entries();
      expect(entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
        { id: 'uncounted#0', retrievals: 0, lastRetrievedAt },
        { id: 'unused#0', createdAt, retrievals: 0 },
        { id: 'used#0', createdAt, retrievals, lastRetrievedAt },
      ]);
    });

    it('counts a retrieval of a chunk that exists', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut']));
      await outsideOf(harness).plantForeignChunk(chunk('b', 0), { retrievalCount: 1 });

      await store.chunks.record(['unknown#0', 'a#0'], harness.clock.now());

      expect(await unretrieved(store)).toEqual(['a#1']);
    });

    it('counts every one of several calls at the same time, and an id as often as it is listed', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut']));
      const now = harness.clock.now();
      const calls = [['a#0'], ['a#1', 'a#0'], ['a#0'], ['unknown#0']];
      await Promise.all(calls.map((ids) => store.chunks.record(ids, now)));
      expect(await countedIn(store)).toBe(4);
      await store.chunks.record(['a#1', 'a#0', 'a#1'], now);
      expect(await countedIn(store)).toBe(7);
    });

    it('leaves the chunk itself unchanged when it records a retrieval', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper']));
      const before = await store.chunks.getChunks(['a#0']);
      harness.clock.advance(1000);
      await store.chunks.record(['a#0'], harness.clock.now());
      expect(await store.chunks.getChunks(['a#0'])).toEqual(before);
    });

    it('deletes those that were never retrieved and nothing else, vectors and index included', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'copper walnut']));
      await store.vectors.put('content', [{ id: 'a#0', texts: ['copper'], vector: vector(1) }]);
      await store.chunks.record(['a#1'], harness.clock.now());
      await ingest(subject(), document('b', ['copper']));
      const asked = ['a#0', 'a#1', 'unknown#0'];

      expect(await store.chunks.deleteChunks(asked, LATER)).toEqual(['a#0']);

      expect((await found(subject(), 'copper')).toSorted()).toEqual(['a#1', 'b#0']);
      expect(await store.vectors.status('content')).toEqual({ complete: 0, pending: 2 });
      expect(await store.chunks.deleteChunks(asked, LATER)).toEqual([]);
    });

    it('does not restore a pruned chunk while its source is unchanged, and keeps the others in place', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut']));
      await store.chunks.record(['a#1'], harness.clock.now());
      await pruneAll(store);

      expect(await ingest(subject(), document('a', ['copper', 'walnut']))).toBe('unchanged');
      expect(await found(subject(), 'copper OR walnut')).toEqual(['a#1']);
      expect(await store.chunks.indexedSources()).toMatchObject([
        { sourceFile: 'a', chunkCount: 1, documentChunkCount: 2 },
      ]);

      await ingest(subject(), document('a', ['copper', 'walnut', 'basalt']));
      expect((await found(subject(), 'copper OR walnut')).toSorted()).toEqual(['a#0', 'a#1']);
    });

    it('restores a pruned chunk of an unchanged source if the call asks for it', async () => {
      const { harness, store } = subject();
      const source = document('a', ['copper', 'walnut']);
      await ingest(subject(), source);
      await store.chunks.record(['a#1'], harness.clock.now());
      const [kept] = await store.chunks.getChunks(['a#1']);
      await pruneAll(store);

      harness.clock.advance(1000);
      const now = harness.clock.now().toISOString();
      const change = { sourceFile: 'a', document: source, unchanged: 'restore' } as const;
      expect(await store.chunks.replaceSources([change])).toEqual(['indexed']);

      const [restored, other] = await store.chunks.getChunks(['a#0', 'a#1']);
      expect(restored).toMatchObject({ content: 'copper', createdAt: now, updatedAt: now });
      expect(other).toEqual(kept);
      expect(await store.chunks.indexedSources()).toMatchObject([{ chunkCount: 2 }]);
      expect((await found(subject(), 'copper OR walnut')).toSorted()).toEqual(['a#0', 'a#1']);
    });
  });
}

async function countedIn({ chunks }: ProjectStore): Promise<number> {
  return (await chunks.entries()).reduce((sum, { retrievals }) => sum + retrievals, 0);
}
