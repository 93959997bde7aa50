import { expect } from 'vitest';
import {
  type ChunkUse,
  isPrunable,
  pruneBoundary,
  unusedSince,
} from '../../../src/domain/upkeep/pruning.js';
import { chunk, document, vector } from '../../support/chunks.js';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';
import { found, ingest } from '../harness/steps.js';
import { outsideOf } from '../harness/store-harness.js';

/** What every implementation of RetrievalLog does. */
export function describeRetrievalLog(name: string, options: ContractOptions): void {
  contractSuite(`RetrievalLog: ${name}`, options, ({ it, subject }) => {
    it('finds chunks created at the boundary or earlier, to the millisecond', async () => {
      const createdAt = await ingestAt(subject(), '2026-03-01T12:00:00.000Z');
      const stale = [{ id: 'a#0', sourceFile: 'a', unusedSince: createdAt }];
      expect(await staleBefore(subject(), '2026-03-01T11:59:59.999Z')).toEqual([]);
      expect(await staleBefore(subject(), '2026-03-01T12:00:00.000Z')).toEqual(stale);
      expect(await staleBefore(subject(), '2026-03-01T12:00:00.001Z')).toEqual(stale);
    });

    it('finds what the policy of the domain prunes, and since when it is unused', async () => {
      const { harness, store } = subject();
      const now = harness.clock.now();
      const expected: object[] = [];
      for (const [index, use] of usesAround(now).entries()) {
        const planted = chunk(`source-${10 + index}`, 0, { createdAt: use.createdAt });
        await outsideOf(harness).plantForeignChunk(planted, use);
        const { id, sourceFile } = planted;
        if (isPrunable(use, now)) expected.push({ id, sourceFile, unusedSince: unusedSince(use) });
      }
      const unused = await store.retrievals.findUnusedSince(pruneBoundary(now));
      expect(expected).toHaveLength(7);
      expect(unused.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected);
    });

    it('never finds a chunk with a counted retrieval, however long ago it was', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut']));
      await outsideOf(harness).plantForeignChunk(chunk('b', 0), { retrievalCount: 1 });

      await store.retrievals.record(['unknown#0', 'a#0'], harness.clock.now());

      const stale = await staleBefore(subject(), '2100-01-01T00:00:00.000Z');
      expect(stale.map(({ id }) => id)).toEqual(['a#1']);
    });

    it('counts every one of several calls at the same time, and an id as often as it is listed', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut']));
      const now = harness.clock.now();
      const calls = [['a#0'], ['a#1', 'a#0'], ['a#0'], ['unknown#0']];
      await Promise.all(calls.map((ids) => store.retrievals.record(ids, now)));
      expect(await store.chunks.sources()).toMatchObject([{ retrievals: 4 }]);
      await store.retrievals.record(['a#1', 'a#0', 'a#1'], now);
      expect(await store.chunks.sources()).toMatchObject([{ retrievals: 7 }]);
    });

    it('leaves the chunk itself unchanged when it records a retrieval', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper']));
      const before = await store.chunks.getChunks(['a#0']);
      harness.clock.advance(1000);
      await store.retrievals.record(['a#0'], harness.clock.now());
      expect(await store.chunks.getChunks(['a#0'])).toEqual(before);
    });

    it('deletes what it finds and nothing else, vectors and index included', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'copper walnut']));
      const texts = ['copper'];
      await store.vectors.put([{ chunkId: 'a#0', texts, vector: vector(1) }]);
      await store.retrievals.record(['a#1'], harness.clock.now());
      harness.clock.advance(1000);
      const boundary = harness.clock.now();
      await ingest(subject(), document('b', ['copper']));
      const expected = await store.retrievals.findUnusedSince(boundary);

      expect(await store.retrievals.deleteUnusedSince(boundary, 100)).toEqual(expected);

      expect(expected.map(({ id }) => id)).toEqual(['a#0']);
      expect((await found(subject(), 'copper')).toSorted()).toEqual(['a#1', 'b#0']);
      expect(await store.vectors.status()).toEqual({ complete: 0, pending: 2 });
      expect(await store.retrievals.deleteUnusedSince(boundary, 100)).toEqual([]);
    });

    it('deletes at most so many at once, and the others when it is asked again', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut', 'basalt']));
      const deletedOf = async (most: number) => {
        const deleted = await store.retrievals.deleteUnusedSince(harness.clock.now(), most);
        return deleted.map(({ id }) => id);
      };
      const first = await deletedOf(2);
      expect(first).toHaveLength(2);
      expect(await found(subject(), 'copper OR walnut OR basalt')).toHaveLength(1);
      expect([...first, ...(await deletedOf(2))].toSorted()).toEqual(['a#0', 'a#1', 'a#2']);
      expect(await deletedOf(2)).toEqual([]);
    });

    it('does not restore a pruned chunk while its source is unchanged, and keeps the others in place', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut']));
      await store.retrievals.record(['a#1'], harness.clock.now());
      await store.retrievals.deleteUnusedSince(harness.clock.now(), 100);

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
      await store.retrievals.record(['a#1'], harness.clock.now());
      const [kept] = await store.chunks.getChunks(['a#1']);
      await store.retrievals.deleteUnusedSince(harness.clock.now(), 100);

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

/** Created and retrieved before, at and after the boundary, in every combination, counted or not. */
function usesAround(now: Date): readonly ChunkUse[] {
  const boundary = pruneBoundary(now).getTime();
  const times = [-1, 0, 1].map((ms) => new Date(boundary + ms).toISOString());
  return times.flatMap((createdAt) =>
    [undefined, ...times].map((lastRetrievedAt) => ({
      createdAt,
      ...(lastRetrievedAt !== undefined && { lastRetrievedAt }),
      retrievalCount: createdAt === times[0] && lastRetrievedAt === times[0] ? 1 : 0,
    })),
  );
}

async function ingestAt(subject: Subject, time: string): Promise<string> {
  subject.harness.clock.set(new Date(Date.parse(time) - 1000));
  await ingest(subject, document('a', ['copper']));
  return time;
}

function staleBefore({ store }: Subject, time: string) {
  return store.retrievals.findUnusedSince(new Date(time));
}
