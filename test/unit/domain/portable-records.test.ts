import { describe, expect, it } from 'vitest';
import type { SourceType } from '../../../src/domain/chunks/chunk.js';
import { type ChunkRecord, COUNT_MAX, portable } from '../../../src/domain/transfer/records.js';
import { chunk } from '../../support/chunks.js';

const { projectPath: _, ...CHUNK } = chunk('a.md', 0);
const RECORD: ChunkRecord = { chunk: CHUNK, contentHash: 'hash', retrievalCount: 3 };

describe('a portable record', () => {
  it('is as it was, if every backend can store it', () => {
    const retrieved = { ...RECORD, lastRetrievedAt: '2026-01-01T00:00:00.000Z' };
    expect(portable(RECORD)).toStrictEqual(RECORD);
    expect(portable(retrieved)).toStrictEqual(retrieved);
  });

  it('has another value in place of one that not every backend can store', () => {
    const odd = {
      sourceType: 'other' as SourceType,
      sourceFile: 'a\0b',
      chunkIndex: COUNT_MAX + 1,
      createdAt: 'once',
      updatedAt: '',
    };
    expect(portable({ ...RECORD, chunk: { ...CHUNK, ...odd }, lastRetrievedAt: 'never' })).toEqual({
      ...RECORD,
      chunk: {
        ...CHUNK,
        sourceType: 'file',
        sourceFile: 'a\uFFFDb',
        chunkIndex: COUNT_MAX,
        createdAt: '1970-01-01T00:00:00.000Z',
        updatedAt: '1970-01-01T00:00:00.000Z',
      },
    });
    expect(portable({ ...RECORD, chunk: { ...CHUNK, sourceFile: '' } }).chunk.sourceFile).toBe(
      'unknown',
    );
  });
});
