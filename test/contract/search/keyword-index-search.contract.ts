import { expect } from 'vitest';
import type { Expression } from '../../../src/domain/query/expression.js';
import type { SourceTypeFilter } from '../../../src/domain/ranking/search.js';
import { document, draft } from '../../support/chunks.js';
import type { Subject, Suite } from '../harness/contract-suite.js';
import { expressionOf, found, ingest, scoresOf } from '../harness/steps.js';

/** Tests of searching, with words that no stemmer changes and that are not prefixes of each other. */
export function declareSearching({ it, subject }: Suite): void {
  it.each([
    ['copper', ['a#0', 'b#0', 'd#0']],
    ['COPPER', ['a#0', 'b#0', 'd#0']],
    ['cöppér', ['a#0', 'b#0', 'd#0']],
    ['copper walnut', ['a#0', 'b#0']],
    ['"copper walnut"', ['a#0']],
    ['"walnut copper"', ['b#0']],
    ['copper AND walnut', ['a#0', 'b#0']],
    ['walnut OR basalt', ['a#0', 'b#0', 'c#0']],
    ['copper NOT walnut', ['d#0']],
    ['copper NOT (walnut OR falcon)', []],
    ['(copper OR basalt) NOT walnut', ['c#0', 'd#0']],
    ['basalt OR copper walnut', ['a#0', 'b#0', 'c#0']],
    ['copp*', ['a#0', 'b#0', 'd#0']],
    ['"copper wal" *', ['a#0']],
    ['"copper" "!!!"', ['a#0', 'b#0', 'd#0']],
    ['copper AND "!!!"', []],
    ['copper OR "!!!"', ['a#0', 'b#0', 'd#0']],
    ['copper NOT "!!!"', ['a#0', 'b#0', 'd#0']],
    ['"!!!"', []],
    ['zebra', []],
  ])('finds for %s the chunks %j', async (text, expected) => {
    await ingest(subject(), document('a', ['copper walnut']));
    await ingest(subject(), document('b', ['Walnut, Cöpper!']));
    await ingest(subject(), document('c', ['basalt']));
    await ingest(subject(), document('d', ['falcon/copper']));
    expect((await found(subject(), text)).toSorted()).toEqual(expected);
  });

  it.each([
    ['projectroot', ['resolveprojectroot']],
    ['root', ['resolveprojectroot']],
    ['project', ['resolveprojectroot', 'projectlist']],
    ['copper', []],
    ['roo', []],
  ])('finds for the letters %s the words in mixed case %j', async (letters, expected) => {
    await ingest(subject(), document('a', ['resolveProjectRoot walks up; copper']));
    await ingest(subject(), document('b', ['a `projectList` of uproots']));
    const { keywords } = subject().store;
    const words = await keywords.mixedCaseWords(letters);
    expect([...words].toSorted()).toEqual(expected.toSorted());
  });

  it('looks in headings and contents, and for a phrase in one of them', async () => {
    await ingest(subject(), document('a', [draft('walnut basalt', { heading: 'copper' })]));
    expect(await found(subject(), 'copper basalt')).toEqual(['a#0']);
    expect(await found(subject(), '"walnut basalt"')).toEqual(['a#0']);
    expect(await found(subject(), '"copper walnut"')).toEqual([]);
  });

  it('treats punctuation in a term as a separator, never as syntax', async () => {
    await ingest(subject(), document('a', ['gpt 4o isn t copper']));
    const signs = [
      'gpt-4o',
      `isn't`,
      'copper"',
      'a\0b" OR "copper',
      'NEAR(copper)',
      '*',
      '',
      '\uD800',
    ];
    for (const text of signs) {
      const expression: Expression = { kind: 'terms', terms: [{ text, prefix: false }] };
      const hits = await search(subject(), expression);
      const isThere = ['gpt-4o', `isn't`, 'copper"'].includes(text);
      expect([text, hits.length]).toEqual([text, isThere ? 1 : 0]);
    }
  });

  it('orders by relevance, which is above 0, highest first', async () => {
    await ingest(subject(), document('filler', Array(20).fill('falcon tulip')));
    await ingest(subject(), document('long', ['copper falcon falcon falcon falcon falcon tulip']));
    await ingest(subject(), document('dense', ['copper copper']));
    await ingest(subject(), document('short', ['copper falcon']));

    const hits = await search(subject(), expressionOf('copper'));

    expect(hits.map((hit) => hit.chunk.sourceFile)).toEqual(['dense', 'short', 'long']);
    const scores = hits.map((hit) => hit.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0)).toBe(true);
    expect(hits.map((hit) => hit.bm25)).toEqual(scores);
  });

  it('gives a nearly ubiquitous word a relevance just above 0', async () => {
    await ingest(subject(), document('a', ['copper']));
    const [hit] = await search(subject(), expressionOf('copper'));
    expect(hit?.score).toBeCloseTo(1e-6, 12);
  });

  it('orders equal scores by importance, even if the limit cuts among them', async () => {
    const importances = { low: 0.1, first: 0.9, default: 0.5, second: 0.9 };
    for (const [file, importance] of Object.entries(importances))
      await ingest(subject(), document(file, [draft('copper', { importance })]));
    await ingest(subject(), document('best', [draft('copper copper', { importance: 0 })]));
    await ingest(subject(), document('filler', Array(20).fill('falcon tulip')));
    const ranked = ['best#0', 'first#0', 'second#0', 'default#0', 'low#0'];
    expect(await found(subject(), 'copper')).toEqual(ranked);
    for (const limit of [1, 2, 3, 4]) {
      const hits = await search(subject(), expressionOf('copper'), { limit });
      expect(hits.map(({ chunk }) => chunk.id)).toEqual(ranked.slice(0, limit));
    }
  });

  it('keeps the order of insertion for equal scores', async () => {
    for (const file of ['m', 'z', 'a']) await ingest(subject(), document(file, ['copper']));
    expect(await found(subject(), 'copper')).toEqual(['m#0', 'z#0', 'a#0']);
  });

  it('scores chosen chunks as the search does, without those that do not match', async () => {
    const { store } = subject();
    await ingest(subject(), document('filler', Array(9).fill('falcon tulip')));
    await ingest(subject(), document('a', ['copper']));
    await ingest(subject(), document('b', ['copper walnut']));
    await ingest(subject(), document('c', ['basalt']));
    const expression = expressionOf('copper OR walnut');
    const hits = await search(subject(), expression);
    const ids = ['c#0', 'b#0', 'unknown#0', 'a#0'];
    const scores = await scoresOf(store, expression, ids);
    expect(scores).toEqual(new Map(hits.map(({ chunk, score }) => [chunk.id, score])));
    expect(scores.size).toBe(2);
    expect([...(await scoresOf(store, expression, ['a#0'])).keys()]).toEqual(['a#0']);
    expect(await scoresOf(store, expression, [])).toEqual(new Map());
  });

  it('returns the chunk as it is stored', async () => {
    await ingest(subject(), document('a', [draft('copper', { heading: 'metal', tags: ['x'] })]));
    const [hit] = await search(subject(), expressionOf('copper'));
    expect([hit?.chunk]).toEqual(await subject().store.chunks.getChunks(['a#0']));
  });

  it('finds the same after the index was rebuilt', async () => {
    await ingest(subject(), document('a', ['copper walnut', 'basalt']));
    await ingest(subject(), document('a', ['basalt', 'copper']));
    const queries = ['copper', 'basalt', 'walnut', 'copper OR basalt'];
    const before = await Promise.all(queries.map((text) => found(subject(), text)));
    await subject().store.upkeep.maintain('rebuild');
    expect(await Promise.all(queries.map((text) => found(subject(), text)))).toEqual(before);
  });
}

export interface SearchRequest {
  readonly sourceTypes?: SourceTypeFilter;
  readonly excludedSources?: readonly string[];
  readonly folders?: readonly string[];
  readonly excludedFolders?: readonly string[];
  readonly tags?: readonly string[];
  readonly limit?: number;
}

/** Searches, by default all chunks. */
export function search({ store }: Subject, expression: Expression, request: SearchRequest = {}) {
  const { limit = 100, ...filter } = request;
  return store.keywords.search({ expression, filter: { sourceTypes: 'all', ...filter }, limit });
}
