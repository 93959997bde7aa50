import { expect } from 'vitest';
import { document, draft } from '../harness/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { expressionOf, found, ingest } from '../harness/project-stores-subject.js';

/** What counts as the same word. */
export function declareWords({ it, subject }: Suite): void {
  it.each([
    ['Redis', 'redis'],
    ['redis', 'REDIS'],
    ['cafe', 'café'],
    ['café', 'cafe'],
    ['Ärger', 'arger'],
    ['caching', 'cached'],
    ['cached', 'caching'],
    ['migrations', 'migrate'],
    ['relational', 'relation'],
    ['ponies', 'pony'],
    ['happiness', 'happy'],
    ['gpt-4o', 'gpt 4o'],
    ['4o', 'gpt-4o'],
    ['snake_case', 'snake case'],
    ['path/to/file.ts', 'path to file ts'],
    ["isn't", 'isn t'],
    ['café', 'cafe\u0301'],
  ])('finds for %s the text %s', async (query, text) => {
    await ingest(subject(), document('a', [text]));
    expect(await found(subject(), `"${query}"`)).toEqual(['a#0']);
  });

  it.each([
    ['database', 'data base'],
    ['cat', 'category'],
    ['4', 'gpt-4o'],
    ['universe', 'uniform'],
  ])('does not find for %s the text %s', async (query, text) => {
    await ingest(subject(), document('a', [text]));
    expect(await found(subject(), `"${query}"`)).toEqual([]);
  });

  it('stems the words of headings and prefixes too', async () => {
    await ingest(subject(), document('a', [draft('none', { heading: 'Cached pages' })]));
    expect(await found(subject(), 'caching')).toEqual(['a#0']);
    expect(await found(subject(), 'cach*')).toEqual(['a#0']);
  });

  it('weighs heading and content alike', async () => {
    const { store } = subject();
    await ingest(subject(), document('filler', Array(9).fill('falcon tulip')));
    await ingest(subject(), document('a', [draft('basalt', { heading: 'copper' })]));
    await ingest(subject(), document('b', [draft('copper', { heading: 'basalt' })]));
    const scores = await store.keywords.score(expressionOf('copper'), ['a#0', 'b#0']);
    expect(scores.get('a#0')).toBeGreaterThan(0);
    expect(scores.get('a#0')).toBe(scores.get('b#0'));
  });

  it('returns BM25 with k1 = 1.2 and b = 0.75 as relevance', async () => {
    const { store } = subject();
    await ingest(subject(), document('filler', Array(8).fill('falcon tulip')));
    await ingest(subject(), document('a', ['copper copper falcon falcon']));
    await ingest(subject(), document('b', ['copper']));
    const scores = await store.keywords.score(expressionOf('copper'), ['a#0', 'b#0']);
    const idf = Math.log((10 - 2 + 0.5) / (2 + 0.5));
    const averageLength = (8 * 2 + 4 + 1) / 10;
    const bm25 = (count: number, length: number) =>
      (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / averageLength));
    expect(scores.get('a#0')).toBeCloseTo(bm25(2, 4), 9);
    expect(scores.get('b#0')).toBeCloseTo(bm25(1, 1), 9);
  });
}
