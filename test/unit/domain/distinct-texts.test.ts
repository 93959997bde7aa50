import { describe, expect, it } from 'vitest';
import { distinctTexts, type ScoredChunk } from '../../../src/domain/ranking/scored-chunk.js';
import { chunk } from '../../support/chunks.js';

describe('chunks with the same text', () => {
  it('are one: the most important, or among equals the best ranked', () => {
    const ranked = [
      scored('a', { content: 'same', importance: 0.5 }),
      scored('b', { content: 'other', importance: 0.1 }),
      scored('c', { content: 'same', importance: 0.9 }),
      scored('d', { content: 'same', importance: 0.9 }),
    ];
    expect(files(distinctTexts(ranked))).toEqual(['b', 'c']);
  });

  it('have the same heading too', () => {
    const ranked = [
      scored('a', { content: 'same' }),
      scored('b', { content: 'same', heading: 'x' }),
      scored('c', { content: 'same', heading: 'y' }),
    ];
    expect(distinctTexts(ranked)).toEqual(ranked);
  });
});

function scored(file: string, rest: Partial<ScoredChunk['chunk']>, score = 1): ScoredChunk {
  return { chunk: chunk(file, 0, rest), score };
}

function files(ranked: readonly ScoredChunk[]): readonly string[] {
  return ranked.map(({ chunk: { sourceFile } }) => sourceFile);
}
