import { describe, expect, it } from 'vitest';
import { NO_CONTENT, statsOf } from '../../../src/domain/stats.js';

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
