import { describe, expect, it } from 'vitest';
import { summarizeSources } from '../../../src/domain/overview/chunk-list.js';
import { NO_CONTENT, toStats } from '../../../src/domain/overview/stats.js';

describe('the stats of a store', () => {
  it('are its content, and where and how large it is', () => {
    const { sizeBytes: _, ...content } = NO_CONTENT;
    expect(toStats({ ...content, totalChunks: 2, sizeBytes: 7 }, 'a.db')).toStrictEqual({
      ...content,
      totalChunks: 2,
      totalSizeBytes: 7,
      dbPath: 'a.db',
    });
  });
});

it('sources are summed up by path, with those that have no chunk', () => {
  const entry = { id: '', sourceType: 'file', chunkIndex: 0, tokens: 1, importance: 0.5 } as const;
  const entries = [
    { ...entry, sourceFile: 'b.md', createdAt: '', updatedAt: '2026-02', retrievals: 1 },
    { ...entry, sourceFile: 'b.md', createdAt: '', updatedAt: '2026-01', retrievals: 2 },
    { ...entry, sourceFile: 'a.md', createdAt: '', updatedAt: '2026-01', retrievals: 0 },
  ];
  const indexed = ['c.md', 'b.md'].map((sourceFile) => ({
    sourceFile,
    sourceType: 'url' as const,
  }));
  expect(summarizeSources(entries, indexed)).toEqual([
    { sourceFile: 'a.md', sourceType: 'file', chunks: 1, retrievals: 0, lastUpdated: '2026-01' },
    { sourceFile: 'b.md', sourceType: 'url', chunks: 2, retrievals: 3, lastUpdated: '2026-02' },
    { sourceFile: 'c.md', sourceType: 'url', chunks: 0, retrievals: 0 },
  ]);
});
