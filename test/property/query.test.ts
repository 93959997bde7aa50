import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { bigramParts, containsUnspaced } from '../../src/domain/bigrams.js';
import { QUERY_MAX_PREFIXES } from '../../src/domain/limits.js';
import { wantedTerms } from '../../src/domain/query/expression.js';
import {
  allWords,
  anyInformativeWord,
  readPlain,
  readQuery,
} from '../../src/domain/query/query.js';
import { anyText, Fts5Table, nearlyFts5, texts } from '../support/chunks-in-fts5.js';
import { placesMatching } from '../support/matching-texts.js';
import { runs } from '../support/seed.js';

const anyQuery = fc.oneof(
  anyText,
  nearlyFts5,
  fc.tuple(nearlyFts5, fc.nat({ max: 300 })).map(([text, times]) => `${text} `.repeat(times)),
);

describe('readQuery, for any text', () => {
  it('stays within the limits', () => {
    fc.assert(
      fc.property(anyQuery, (text) => {
        const query = readQuery(text);
        if (query.kind === 'plain') {
          expect(query.words.length).toBeLessThanOrEqual(64);
          for (const word of query.words) expect(word).toMatch(/^[\p{L}\p{N}\p{Co}][^\s"()*]*$/u);
        } else {
          const terms = wantedTerms(query.expression);
          const prefixes = terms.filter((term) => term.prefix);
          expect(text.length).toBeLessThanOrEqual(2000);
          expect(terms.length).toBeGreaterThan(0);
          expect(terms.length).toBeLessThanOrEqual(64);
          expect(prefixes.length).toBeLessThanOrEqual(8);
        }
      }),
      runs(1000),
    );
  });

  it('looks for every plain word once, in any letter case', () => {
    fc.assert(
      fc.property(anyQuery, (text) => {
        const query = readPlain(text);
        if (query.kind !== 'plain') throw new Error('Plain text is read as plain.');
        const asked = new Set(query.words.map((word) => word.toLowerCase()));
        const [all, any] = [allWords(query.words), anyInformativeWord(query.words)];
        for (const expression of [all, any]) {
          const terms = expression === undefined ? [] : wantedTerms(expression);
          expect(terms.length > 0).toBe(asked.size > 0);
          expect(new Set(terms.map((term) => term.text.toLowerCase())).size).toBe(terms.length);
          const parts = new Set(query.words.filter(containsUnspaced).flatMap(bigramParts));
          for (const { text: term } of terms) {
            expect(asked.has(term.toLowerCase()) || parts.has(term)).toBe(true);
          }
          for (const word of expression?.kind === 'terms' ? asked : []) {
            expect(terms.map((term) => term.text.toLowerCase())).toContain(word);
          }
        }
      }),
      runs(500),
    );
  });
});

describe('readQuery and SQLite', () => {
  const table = new Fts5Table();
  afterAll(() => table.close());

  it('agree on the results of structured queries, and queries that SQLite refuses are plain', () => {
    const seen = { structured: 0, refused: 0 };
    fc.assert(
      fc.property(
        texts,
        fc.array(nearlyFts5, { minLength: 5, maxLength: 5 }),
        (documents, queries) => {
          table.fill(documents);
          for (const text of queries) {
            // Further stars are dropped.
            if (text.split('*').length > QUERY_MAX_PREFIXES + 1) continue;
            const query = readQuery(text);
            if (query.kind === 'plain') {
              seen.refused += 1;
              continue;
            }
            seen.structured += 1;
            const described = placesMatching(documents, query.expression);
            expect([text, table.match(text)]).toEqual([text, described]);
          }
        },
      ),
      runs(600),
    );
    const { structured, refused } = seen;
    expect(Math.min(structured, refused)).toBeGreaterThan((structured + refused) / 10);
  });
});
