import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression } from '../../../src/domain/query/expression.js';
import { useSubject } from '../../contract/harness/contract-suite.js';
import { ingest } from '../../contract/harness/steps.js';
import { document, draft } from '../../support/chunks.js';
import { runs } from '../../support/seed.js';
import { sqliteHarness } from './project-stores-harness.js';

const COPPER: Expression = { kind: 'terms', terms: [{ text: 'copper', prefix: false }] };
const ALL = { sourceTypes: 'all' } as const;

interface Made {
  readonly isOwn: boolean;
  readonly words: number;
  readonly importance: number;
}

describe('A filtered keyword search in SQLite', () => {
  const subject = useSubject(sqliteHarness);

  /** 300 matches of other sources are more than a search looks at before it filters all matches. */
  it('finds the chunks of a source that are worse than hundreds of others', async () => {
    await ingest(
      subject(),
      document(
        'many',
        Array.from({ length: 300 }, () => 'copper'),
      ),
    );
    const long = `copper ${'walnut '.repeat(40)}`;
    await ingest(subject(), document('few', [long, `${long} basalt`], 'reflection'));
    const { keywords } = subject().store;
    const onlyFew = { sourceTypes: ['reflection'] } as const;
    for (const filter of [onlyFew, { ...ALL, excludedSources: ['many'] }]) {
      const found = await keywords.search({ expression: COPPER, filter, limit: 5 });
      expect(found.map(({ chunk }) => chunk.id)).toEqual(['few#0', 'few#1']);
    }
    expect(
      await keywords.search({ expression: COPPER, filter: { sourceTypes: ['url'] }, limit: 5 }),
    ).toEqual([]);
  });

  it('returns what an unfiltered search returns, without the others', async () => {
    const chunk = fc.record({
      isOwn: fc.boolean(),
      words: fc.integer({ min: 0, max: 3 }),
      importance: fc.constantFrom(0.2, 0.5, 0.9),
    });
    const sources = fc.array(chunk, { minLength: 80, maxLength: 200 });
    const property = fc.asyncProperty(sources, fc.integer({ min: 1, max: 20 }), checkFilter);
    await fc.assert(property, runs(10));
  });

  async function checkFilter(made: readonly Made[], limit: number): Promise<void> {
    const draftsOf = (isOwn: boolean) =>
      made
        .filter((one) => one.isOwn === isOwn)
        .map(({ words, importance }) => draft(`copper ${'walnut '.repeat(words)}`, { importance }));
    await ingest(subject(), document('own', draftsOf(true)));
    await ingest(subject(), document('other', draftsOf(false)));
    const { keywords } = subject().store;
    const all = await keywords.search({ expression: COPPER, filter: ALL, limit: 1000 });
    const own = all.filter(({ chunk }) => chunk.sourceFile === 'own').slice(0, limit);
    const filter = { ...ALL, excludedSources: ['other'] };
    expect(await keywords.search({ expression: COPPER, filter, limit })).toEqual(own);
    expect(await keywords.search({ expression: COPPER, filter: ALL, limit })).toEqual(
      all.slice(0, limit),
    );
  }
});
