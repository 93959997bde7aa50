import { describe, expect, it } from 'vitest';
import type { SourceType } from '../../../src/domain/chunks/chunk.js';
import {
  type ChunkRecord,
  COUNT_MAX,
  planRecords,
  portable,
} from '../../../src/domain/transfer/records.js';
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

describe('a record of a chunk that the store has', () => {
  const texts = new Map([['a.md#0', { heading: 'H', content: 'text' }]]);
  const outcomeOf = (changed: object, hashes: Readonly<Record<string, string>> = {}) => {
    const record = { ...RECORD, chunk: { ...CHUNK, heading: 'H', content: 'text', ...changed } };
    const present = { texts, hashes: new Map(Object.entries(hashes)) };
    const { counts } = planRecords([record], present);
    return Object.entries(counts).flatMap(([name, count]) => (count === 1 ? name : []));
  };

  it.each([
    ['the same text', {}, {}, 'merged'],
    ['another heading', { heading: 'G' }, {}, 'different'],
    ['another content', { content: 'other' }, {}, 'different'],
    ['another place', { id: 'a.md#1' }, {}, 'added'],
    ['the version that is indexed', { id: 'a.md#1' }, { 'a.md': 'hash' }, 'added'],
    ['a version that is not known', { id: 'a.md#1' }, { 'a.md': '' }, 'added'],
    ['another version', { id: 'a.md#1' }, { 'a.md': 'another' }, 'different'],
  ])('with %s', (_, changed, hashes, outcome) => {
    expect(outcomeOf(changed, hashes)).toEqual([outcome]);
  });
});
