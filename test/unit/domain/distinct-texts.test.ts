import { describe, expect, it } from 'vitest';
import { weighByImportance } from '../../../src/domain/ranking/fusion.js';
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

describe('the weight of importance', () => {
  const ranked = [
    scored('a', { importance: 0.2 }, 3),
    scored('b', { importance: 0.5 }, 2),
    scored('c', { importance: 1 }, 1),
  ];

  it('changes nothing at 0, not even between equal scores', () => {
    const equal = ranked.map((candidate) => ({ ...candidate, score: 1 }));
    expect(weighByImportance(ranked, 0)).toEqual(ranked);
    expect(weighByImportance(equal, 0)).toEqual(equal);
  });

  it('adds its share of the spread of scores', () => {
    const scores = weighByImportance(ranked, 0.5).map(({ score }) => Number(score.toFixed(6)));
    expect(scores).toEqual([2.7, 2, 1.5]);
    expect(files(weighByImportance(ranked, 1))).toEqual(['a', 'c', 'b']);
  });

  it('decides between equal scores', () => {
    const equal = ranked.map((candidate) => ({ ...candidate, score: 1 }));
    expect(files(weighByImportance(equal, 0.1))).toEqual(['c', 'b', 'a']);
  });
});

function scored(file: string, rest: Partial<ScoredChunk['chunk']>, score = 1): ScoredChunk {
  return { chunk: chunk(file, 0, rest), score };
}

function files(ranked: readonly ScoredChunk[]): readonly string[] {
  return ranked.map(({ chunk: { sourceFile } }) => sourceFile);
}
