import { describe, expect, it } from 'vitest';
import { arrange, byCitations, withoutWeak } from '../../../src/app/search/arrangement.js';
import type { RetrievalRequest, Retrieved } from '../../../src/app/search/retrieval.js';
import type { ScoredChunk } from '../../../src/domain/ranking/scored-chunk.js';
import type { Profile } from '../../../src/domain/ranking/search.js';
import { chunk } from '../../support/chunks.js';

const scored = (name: string, relevance?: number): ScoredChunk => ({
  chunk: chunk(name, 0),
  score: 1,
  ...(relevance !== undefined && { relevance }),
});
const names = (ranked: readonly ScoredChunk[]) => ranked.map((one) => one.chunk.sourceFile);

describe('the results of a search', () => {
  const RANKED = [scored('a', 0.9), scored('b', 0.5), scored('c'), scored('d', 0.4)];
  const arranged = (
    profile: Profile,
    { minRelevance, preferredSources }: { minRelevance?: number; preferredSources?: string[] } = {},
  ) => {
    const retrieved = { ranked: RANKED } as unknown as Retrieved;
    const asked = { profile, ...(preferredSources && { preferredSources }) };
    const request = { profile, minRelevance, exactWords: [] } as unknown as RetrievalRequest;
    const { ranked, leftOut } = arrange(retrieved, asked as never, request);
    return [names(ranked), leftOut];
  };

  it.each(['reading', 'specified'] as const)('keep their order: %s', (profile) => {
    expect(arranged(profile)).toEqual([['a', 'b', 'c', 'd'], 0]);
  });

  it.each(['reading', 'specified'] as const)(
    'have at least the requested relevance, if it is known: %s',
    (profile) => {
      expect(arranged(profile, { minRelevance: 0.5 })).toEqual([['a', 'b', 'c'], 1]);
    },
  );

  it('begin with preferred sources for people and agents', () => {
    const preferredSources = ['c'];
    expect(arranged('reading', { preferredSources })).toEqual([['c', 'a', 'b', 'd'], 0]);
    expect(arranged('specified', { preferredSources })).toEqual([['a', 'b', 'c', 'd'], 0]);
  });

  it('have no weak ones among them for people and agents, unless they want all', () => {
    const ranked = [scored('a', 0.9), scored('b', 0.01)];
    const shown = (asked: Parameters<typeof withoutWeak>[1]) => {
      const { ranked: kept, leftOut } = withoutWeak({ ranked, leftOut: 1 }, asked);
      return [names(kept), leftOut];
    };
    expect(shown({ profile: 'reading' })).toEqual([['a'], 2]);
    expect(shown({ profile: 'reading', all: true })).toEqual([['a', 'b'], 1]);
    expect(shown({ profile: 'specified' })).toEqual([['a', 'b'], 1]);
  });

  it.each([
    ['last', ['a', 'c', 'b']],
    ['hide', ['a', 'c']],
  ] as const)('have stale ones where the settings say: %s', (staleChunks, expected) => {
    const ranked = [scored('a'), scored('b'), scored('c')];
    const reports = new Map([
      ['b#0', { stale: true }],
      ['c#0', { stale: false }],
    ]);
    const settings = { staleChunks } as never;
    expect(names(byCitations(ranked, reports as never, settings))).toEqual(expected);
    expect(names(byCitations(ranked, undefined, settings))).toEqual(['a', 'b', 'c']);
  });
});
