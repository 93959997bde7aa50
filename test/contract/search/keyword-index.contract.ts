import { expect } from 'vitest';
import { document, draft } from '../../support/chunks.js';
import { type ContractOptions, contractSuite, type Suite } from '../harness/contract-suite.js';
import { expressionOf, found, ingest, scoresOf } from '../harness/steps.js';
import { declareCjkSearching } from './keyword-index-cjk.contract.js';
import { declareNames } from './keyword-index-names.contract.js';
import { declareRanking } from './keyword-index-ranking.contract.js';
import { declareSearching, type SearchRequest, search } from './keyword-index-search.contract.js';
import { declareSideWords } from './keyword-index-side-words.contract.js';

/** The contract of `KeywordIndex`. */
export function describeKeywordIndex(name: string, options: ContractOptions): void {
  contractSuite(`KeywordIndex: ${name}`, options, (suite) => {
    declareSearching(suite);
    declareRanking(suite);
    declareFiltering(suite);
    declareWords(suite);
    declareCjkSearching(suite);
    declareSideWords(suite);
    declareNames(suite);
  });
}

/** Tests of which chunks a filter excludes. */
function declareFiltering({ it, subject }: Suite): void {
  it('returns only chunks with all of the tags, compared exactly, before it limits', async () => {
    const tagged = (file: string, tags: readonly string[]) =>
      ingest(subject(), document(file, [draft('copper', { tags })]));
    await tagged('a', ['db']);
    await tagged('b', ['Db', 'x"y', 'lock']);
    await ingest(subject(), document('c', ['copper']));
    await tagged('d', ['lock', 'db']);
    const withTags = async (tags: readonly string[], limit = 9) =>
      (await search(subject(), expressionOf('copper'), { tags, limit })).map(
        ({ chunk }) => chunk.sourceFile,
      );
    expect(await withTags([])).toEqual(['a', 'b', 'c', 'd']);
    expect(await withTags(['db'])).toEqual(['a', 'd']);
    expect(await withTags(['db', 'lock', 'db'])).toEqual(['d']);
    expect(await withTags(['Db', 'x"y'])).toEqual(['b']);
    expect(await withTags(['lock'], 1)).toEqual(['b']);
    expect(await withTags(['loc'])).toEqual([]);
  });

  it('filters before it limits', async () => {
    for (const file of ['a', 'b']) await ingest(subject(), document(file, ['copper']));
    await ingest(subject(), document('c', ['copper falcon'], 'reflection'));
    const files = async (request: SearchRequest) =>
      (await search(subject(), expressionOf('copper'), request)).map((hit) => hit.chunk.sourceFile);
    expect(await files({ sourceTypes: ['reflection'], limit: 1 })).toEqual(['c']);
    expect(await files({ sourceTypes: ['reflection', 'file'] })).toEqual(['a', 'b', 'c']);
    expect(await files({ sourceTypes: [] })).toEqual([]);
    expect(await files({ excludedSources: ['a'], limit: 1 })).toEqual(['b']);
    expect(await files({ excludedSources: ['a', 'c', 'x'] })).toEqual(['b']);
    await ingest(subject(), document('n/d/e', ['copper']));
    expect(await files({ folders: ['n/d', 'x'] })).toEqual(['n/d/e']);
    expect(await files({ folders: ['n/', 'b', 'n_d'] })).toEqual([]);
    expect(await files({ folders: [] })).toEqual([]);
    expect(await files({ excludedFolders: ['n', 'a/'] })).toEqual(['a', 'b', 'c']);
    expect(await files({ excludedFolders: [] })).toEqual(['a', 'b', 'n/d/e', 'c']);
  });
}

/** Tests of which spellings count as the same word. */
function declareWords({ it, subject }: Suite): void {
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
    const scores = await scoresOf(store, expressionOf('copper'), ['a#0', 'b#0']);
    expect(scores.get('a#0')).toBeGreaterThan(0);
    expect(scores.get('a#0')).toBe(scores.get('b#0'));
  });

  it('returns BM25 with k1 = 1.2 and b = 0.75 as relevance', async () => {
    const { store } = subject();
    await ingest(subject(), document('filler', Array(8).fill('falcon tulip')));
    await ingest(subject(), document('a', ['copper copper falcon falcon']));
    await ingest(subject(), document('b', ['copper']));
    const scores = await scoresOf(store, expressionOf('copper'), ['a#0', 'b#0']);
    const idf = Math.log((10 - 2 + 0.5) / (2 + 0.5));
    const averageLength = (8 * 2 + 4 + 1) / 10;
    const bm25 = (count: number, length: number) =>
      (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / averageLength));
    expect(scores.get('a#0')).toBeCloseTo(bm25(2, 4), 9);
    expect(scores.get('b#0')).toBeCloseTo(bm25(1, 1), 9);
  });
}
