import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bestRows } from '../../src/adapters/sqlite/keyword/keyword-search.js';
import { bestByRareTerms } from '../../src/adapters/sqlite/keyword/rare-terms.js';
import { migrate } from '../../src/adapters/sqlite/schema/migration.js';
import { SOURCE_TYPES } from '../../src/domain/chunks/chunk.js';
import { anyInformativeWord } from '../../src/domain/query/query.js';
import { runs } from '../support/seed.js';

/** Some words are in most chunks and others in few, and all of them add something to a score. */
const WORDS = ['w1', 'w1', 'w1', 'w2', 'w2', 'w3', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8'];
const word = fc.constantFrom(...WORDS);
const content = fc.array(word, { minLength: 2, maxLength: 12 }).map((words) => words.join(' '));
const collection = fc.record({
  contents: fc.array(content, { minLength: 60, maxLength: 60 }),
  /** Some texts are there several times, and have equal scores. */
  copies: fc.array(fc.nat(59), { maxLength: 10 }),
});
const search = fc.record({
  words: fc.uniqueArray(word, { minLength: 3, maxLength: 8 }),
  limit: fc.integer({ min: 1, max: 5 }),
  isFiltered: fc.boolean(),
});

describe('A search by the rare terms', () => {
  const db = new Database(':memory:');
  beforeAll(() => migrate(db));
  afterAll(() => db.close());

  it('returns the rows and scores of a search for all terms, wherever it returns any', () => {
    let searches = 0;
    let shortcuts = 0;
    const property = fc.property(
      collection,
      fc.array(search, { minLength: 30, maxLength: 30 }),
      ({ contents, copies }, list) => {
        fill([...contents, ...copies.map((copy) => contents[copy] ?? '')]);
        for (const one of list) {
          searches += 1;
          if (isSame(one)) shortcuts += 1;
        }
      },
    );
    fc.assert(property, runs(15));
    expect(shortcuts).toBeGreaterThan(searches / 10);
  });

  // Helpers

  function fill(contents: readonly string[]): void {
    const insert = db.prepare(
      `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content, created_at, updated_at)
       VALUES (?, ?, 'a', '/', 0, ?, '', '')`,
    );
    db.transaction(() => {
      db.exec('DELETE FROM chunks');
      for (const [i, text] of contents.entries()) {
        insert.run(String(i), SOURCE_TYPES[i % SOURCE_TYPES.length], text);
      }
    })();
  }

  /** Whether the shortcut was taken; fails if it led elsewhere. */
  function isSame({ words, limit, isFiltered }: Searched): boolean {
    const expression = anyInformativeWord(words);
    if (expression === undefined) return false;
    const filter = { sourceTypes: isFiltered ? (['file', 'url'] as const) : ('all' as const) };
    const found = bestByRareTerms(db, { expression, filter, limit }, ALWAYS);
    if (found === undefined) return false;
    const last = found[limit - 1]?.score ?? Number.NaN;
    const all = bestRows(db, { expression, filter, limit }).filter(({ score }) => score <= last);
    expect(found.map(({ number }) => number)).toEqual(all.map(({ number }) => number));
    for (const [i, { score }] of found.entries()) {
      expect(score).toBeCloseTo(all[i]?.score ?? Number.NaN, 12);
    }
    return true;
  }
});

interface Searched {
  readonly words: readonly string[];
  readonly limit: number;
  readonly isFiltered: boolean;
}

/** Tried however little it would save, and proven by few candidates, so that it also fails. */
const ALWAYS = {
  leastChunks: 0,
  leastOccurrences: 0,
  candidates: 8,
  leastShare: 0,
  mostTerms: 1,
};
