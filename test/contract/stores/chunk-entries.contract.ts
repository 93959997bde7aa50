import { expect } from 'vitest';
import { type ChunkListQuery, listChunks } from '../../../src/domain/overview/chunk-list.js';
import { document } from '../../support/chunks.js';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';
import { ingest } from '../harness/steps.js';

/** The contract of chunk entries, and of the views that the domain makes of them. */
export function describeChunkEntries(name: string, options: ContractOptions): void {
  contractSuite(`Chunk entries: ${name}`, options, ({ it, subject }) => {
    it.each([
      ['source', ['B.md#0', 'a.md#0', 'a.md#1', 'é.md#0']],
      ['most_retrieved', ['é.md#0', 'a.md#1', 'B.md#0', 'a.md#0']],
      ['least_retrieved', ['a.md#0', 'a.md#1', 'B.md#0', 'é.md#0']],
      ['newest', ['B.md#0', 'é.md#0', 'a.md#0', 'a.md#1']],
      ['longest', ['a.md#1', 'B.md#0', 'a.md#0', 'é.md#0']],
    ] as const)('lists chunks in the order %s, by pages and filtered', async (order, ids) => {
      await fill(subject());
      const list = async (query: Partial<ChunkListQuery>) => {
        const entries = await subject().store.chunks.entries();
        const { total, chunks } = listChunks(entries, { order, limit: 9, offset: 0, ...query });
        return { total, ids: chunks.map(({ id }) => id) };
      };
      expect(await list({})).toEqual({ total: 4, ids });
      expect(await list({ limit: 2, offset: 1 })).toEqual({ total: 4, ids: ids.slice(1, 3) });
      const ofSource = ids.filter((id) => id.startsWith('a.md'));
      expect(await list({ sourceFile: 'a.md' })).toEqual({ total: 2, ids: ofSource });
      expect(await list({ sourceType: 'url' })).toEqual({ total: 1, ids: ['B.md#0'] });
    });

    it('returns the length, age and use of each chunk', async () => {
      await fill(subject());
      const entries = await subject().store.chunks.entries();
      const { chunks } = listChunks(entries, { order: 'most_retrieved', limit: 9, offset: 0 });
      expect([chunks[0], chunks[3]]).toEqual([
        {
          id: 'é.md#0',
          sourceType: 'manual',
          sourceFile: 'é.md',
          heading: 'Metals',
          tokens: 1,
          importance: 0.9,
          updatedAt: '2026-01-01T00:00:02.000Z',
          retrievals: 3,
          lastRetrievedAt: '2026-02-01T00:00:00.000Z',
        },
        expect.not.objectContaining({
          heading: expect.anything(),
          lastRetrievedAt: expect.anything(),
        }),
      ]);
    });
  });
}

/** Stores chunks that each order sorts differently, with ties that are decided by date, source or position. */
async function fill(subject: Subject): Promise<void> {
  const metals = { content: 'x', heading: 'Metals', importance: 0.9 };
  await ingest(subject, document('a.md', [ofTokens(1), ofTokens(1052)], 'manual'));
  await ingest(subject, document('é.md', [metals], 'manual'));
  await ingest(subject, document('B.md', [ofTokens(101)], 'url'));
  const { chunks } = subject.store;
  for (const day of ['2026-01-01', '2026-01-02', '2026-02-01']) {
    await chunks.record(['é.md#0'], new Date(day));
  }
  await chunks.record(['a.md#1'], new Date('2026-01-01'));
  await chunks.record(['a.md#1'], new Date('2026-02-01T23:59:59.000Z'));
  await chunks.record(['B.md#0'], new Date('2026-01-01'));
  await chunks.record(['B.md#0'], new Date('2026-01-31'));
}

function ofTokens(tokens: number): string {
  return 'x'.repeat(4 * tokens);
}
