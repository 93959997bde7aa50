import { describe, expect, it } from 'vitest';
import {
  CHUNK_ORDERS,
  type ChunkEntry,
  listChunks,
} from '../../../src/domain/overview/chunk-list.js';

const entry = (id: string, rest: Partial<ChunkEntry>): ChunkEntry => ({
  id,
  sourceType: 'file',
  sourceFile: 'a.md',
  chunkIndex: 0,
  tokens: 10,
  importance: 0.5,
  createdAt: '2026-01-01',
  updatedAt: '2026-01-01',
  retrievals: 0,
  ...rest,
});

/** Each order has ties, which the source file and the place decide. */
const ENTRIES = [
  entry('never', { sourceFile: 'b.md' }),
  entry('second', { chunkIndex: 1, updatedAt: '2026-02-01' }),
  entry('first', { tokens: 20 }),
  entry('late', {
    sourceFile: 'c.md',
    retrievals: 2,
    lastRetrievedAt: '2026-03-02',
    tokens: 20,
    updatedAt: '2026-02-01',
  }),
  entry('early', {
    sourceFile: 'b.md',
    chunkIndex: 2,
    retrievals: 2,
    lastRetrievedAt: '2026-03-01',
  }),
];

describe('the chunks of a store', () => {
  it.each([
    ['source', 'first second never early late'],
    ['last_retrieved', 'late early first second never'],
    ['most_retrieved', 'late early first second never'],
    ['least_retrieved', 'first never second early late'],
    ['newest', 'second late first never early'],
    ['longest', 'first late second never early'],
  ] as const)('by %s are %s', (order, expected) => {
    expect(CHUNK_ORDERS).toContain(order);
    const { total, chunks } = listChunks(ENTRIES, { order, limit: 9, offset: 0 });
    expect([total, chunks.map(({ id }) => id).join(' ')]).toEqual([ENTRIES.length, expected]);
  });
});
