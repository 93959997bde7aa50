import { describe, expect, it } from 'vitest';
import { embeddingProgress, NO_CONTENT, statsOf } from '../../../src/domain/stats.js';

describe('the progress of embedding', () => {
  const status = { complete: 5, pending: 30 };

  it('says when the vectors will be complete, at the present rate', () => {
    const progress = { ...status, chunksPerSecond: 4, secondsLeft: 8 };
    expect(embeddingProgress(status, { chunksPerSecond: 4 })).toEqual(progress);
  });

  it.each([undefined, { chunksPerSecond: 0 }, { chunksPerSecond: -1 }])(
    'does not say so at the rate %j',
    (rate) => {
      expect(embeddingProgress(status, rate)).toStrictEqual(status);
    },
  );
});

describe('the stats of a store', () => {
  it('are its content, and where and how large it is', () => {
    const { sizeBytes: _, ...content } = NO_CONTENT;
    expect(statsOf({ ...content, totalChunks: 2, sizeBytes: 7 }, 'a.db')).toStrictEqual({
      ...content,
      totalChunks: 2,
      totalSizeBytes: 7,
      dbPath: 'a.db',
    });
  });
});
