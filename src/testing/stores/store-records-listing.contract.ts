import { expect } from 'vitest';
import type { SourceType } from '../../domain/chunks/chunk.js';
import { surveyOf } from '../../domain/overview/chunk-survey.js';
import type { ChunkRecord } from '../../domain/transfer/records.js';
import type { ProjectStore } from '../../ports/driven/project-stores.js';
import type { RecordQuery } from '../../ports/driven/store-records.js';
import type { Suite } from '../harness/contract-suite.js';

/** How records are listed and counted. */
export function declareListing({ it, subject }: Suite): void {
  it.each([
    ['source', ['B.md#0', 'a.md#0', 'a.md#1', 'é.md#0']],
    ['most_retrieved', ['é.md#0', 'a.md#1', 'B.md#0', 'a.md#0']],
    ['least_retrieved', ['a.md#0', 'a.md#1', 'B.md#0', 'é.md#0']],
    ['newest', ['B.md#0', 'a.md#1', 'é.md#0', 'a.md#0']],
    ['longest', ['a.md#1', 'B.md#0', 'a.md#0', 'é.md#0']],
  ] as const)(
    'lists chunks in the order %s, as a whole, by pages and filtered',
    async (order, ids) => {
      const { records } = subject().store;
      await records.add(LISTED);
      const list = async (query: Partial<RecordQuery>) => {
        const { total, records: found } = await records.list({
          order,
          limit: 9,
          offset: 0,
          ...query,
        });
        return { total, ids: found.map(({ chunk }) => chunk.id) };
      };
      expect(await list({})).toEqual({ total: 4, ids });
      expect(await list({ limit: 2, offset: 1 })).toEqual({ total: 4, ids: ids.slice(1, 3) });
      const ofSource = ids.filter((id) => id.startsWith('a.md'));
      expect(await list({ sourceFile: 'a.md' })).toEqual({ total: 2, ids: ofSource });
      expect(await list({ sourceType: 'url' })).toEqual({ total: 1, ids: ['a.md#1'] });
      const all = await allRecords(subject().store);
      expect((await records.list({ order, limit: 9, offset: 0 })).records).toEqual(
        ids.map((id) => all.find(({ chunk }) => chunk.id === id)),
      );
    },
  );

  it('counts chunks by type and size, and by the day of their last retrieval', async () => {
    const { records } = subject().store;
    expect(surveyOf(await records.counts())).toMatchObject({ chunks: 0, types: [] });
    await records.add(LISTED);
    expect(surveyOf(await records.counts())).toEqual({
      ...{ chunks: 4, tokens: 1155, retrievals: 7, neverRetrieved: 1 },
      types: [
        { sourceType: 'manual', chunks: 3, tokens: 103, retrievals: 5 },
        { sourceType: 'url', chunks: 1, tokens: 1052, retrievals: 2 },
      ],
      sizes: expect.arrayContaining([
        { upTo: 50, chunks: 2 },
        { upTo: 200, chunks: 1 },
        { chunks: 1 },
      ]),
      lastRetrieved: [
        { day: '2026-01-31', chunks: 1 },
        { day: '2026-02-01', chunks: 2 },
      ],
    });
  });
}

/** Each order differs from the others, and one is decided by a date, by a source or by a position. */
const LISTED: readonly ChunkRecord[] = [
  listed('a.md#0', { tokens: 1, updated: 1, retrievals: 0 }),
  listed(
    'a.md#1',
    { tokens: 1052, updated: 3, retrievals: 2, at: '2026-02-01T23:59:59.000Z' },
    'url',
  ),
  listed('B.md#0', { tokens: 101, updated: 4, retrievals: 2, at: '2026-01-31T00:00:00.000Z' }),
  listed('é.md#0', { tokens: 1, updated: 2, retrievals: 3, at: '2026-02-01T00:00:00.000Z' }),
];

interface ListedNumbers {
  readonly tokens: number;
  /** A day of January. */
  readonly updated: number;
  readonly retrievals: number;
  /** Of the last retrieval. */
  readonly at?: string;
}

function listed(
  id: string,
  { tokens, updated, retrievals, at }: ListedNumbers,
  sourceType: SourceType = 'manual',
): ChunkRecord {
  const { chunk, ...record } = recordOf(id, 'x'.repeat(4 * tokens));
  return {
    ...record,
    chunk: { ...chunk, sourceType, updatedAt: `2026-01-0${updated}T00:00:00.000Z` },
    retrievalCount: retrievals,
    ...(at !== undefined && { lastRetrievedAt: at }),
  };
}

export async function allRecords({ records }: ProjectStore): Promise<readonly ChunkRecord[]> {
  const all: ChunkRecord[] = [];
  for (let after: string | undefined; ; ) {
    const page = await records.page(after, 1);
    all.push(...page.records);
    if (page.next === undefined) return all;
    after = page.next;
  }
}

export function recordOf(id: string, content: string): ChunkRecord {
  const [sourceFile = '', place] = id.split('#');
  const at = '2026-01-01T00:00:00.000Z';
  const dates = { createdAt: at, updatedAt: at };
  const rest = { sourceType: 'manual', importance: 0.5, chunkIndex: Number(place) } as const;
  return {
    chunk: { id, sourceFile, content, ...rest, ...dates },
    contentHash: 'hash',
    retrievalCount: 0,
  };
}
