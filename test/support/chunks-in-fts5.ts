import fc from 'fast-check';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';

export interface SearchableText {
  readonly heading?: string;
  readonly content: string;
}

/** An FTS5 table with texts in memory, to compare with our own implementation. */
export class Fts5Table {
  readonly #db = openDatabase(':memory:');

  constructor() {
    this.#db.exec(
      'CREATE VIRTUAL TABLE texts USING fts5(heading, content, tokenize = "porter unicode61 remove_diacritics 2")',
    );
  }

  /** Replaces the texts of the table. */
  fill(texts: readonly SearchableText[]): void {
    const insert = this.#db.prepare('INSERT INTO texts(rowid, heading, content) VALUES (?, ?, ?)');
    this.#db.transaction(() => {
      this.#db.exec('DELETE FROM texts');
      for (const [i, { heading, content }] of texts.entries()) {
        insert.run(i, heading ?? null, content);
      }
    })();
  }

  /**
   * The indexes of the texts that `MATCH` finds.
   * @throws SQLite's error for the query
   */
  match(query: string): readonly number[] {
    return this.#db
      .prepare<[string], number>('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid')
      .pluck()
      .all(query);
  }

  close(): void {
    this.#db.close();
  }
}

const token = fc.constantFrom('ab', 'abc', 'abd', 'b1', 'cd', 'É', 'ab-cd', 'AND');
const line = fc.array(token, { maxLength: 7 }).map((tokens) => tokens.join(' '));

/** A few texts with few different tokens, so that queries with the same tokens find something. */
export const texts: fc.Arbitrary<readonly SearchableText[]> = fc.array(
  fc.record({ heading: line, content: line }, { requiredKeys: ['content'] }),
  { minLength: 1, maxLength: 8 },
);

const queryWord = fc.constantFrom('ab', 'abc', 'b1', 'cd', 'é', 'É', 'and', 'NEAR', 'heading', 'a');
const scrap = fc.oneof(
  { weight: 6, arbitrary: queryWord },
  { weight: 4, arbitrary: fc.constantFrom('AND', 'OR', 'NOT') },
  { weight: 3, arbitrary: fc.constantFrom('(', ')', '*', '"', '"ab cd"', '""', '"!!"', '"a""b"') },
  { weight: 1, arbitrary: fc.constantFrom(':', '-', '+', '^', '{', '}', ',', "'", '.', '\t') },
);

/** Text from the alphabet of FTS5's grammar, mostly invalid. */
const heap = fc
  .array(fc.tuple(scrap, fc.constantFrom('', ' ', ' ', ' ')), { maxLength: 12 })
  .map((scraps) => scraps.flat().join(''));

const { expression: grammatical } = fc.letrec<{
  expression: string;
  primary: string;
  term: string;
}>((tie) => ({
  expression: fc
    .array(fc.tuple(tie('primary'), fc.constantFrom(' AND ', ' OR ', ' NOT ')), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.flat().slice(0, -1).join('')),
  primary: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(tie('term'), { minLength: 1, maxLength: 3 }).map((terms) => terms.join(' ')),
    tie('expression').map((inner) => `(${inner})`),
  ),
  term: fc.oneof(
    queryWord,
    queryWord.map((word) => `${word}*`),
    fc.array(queryWord, { maxLength: 3 }).map((words) => `"${words.join(' ')}"`),
    fc.constantFrom('"!!"', '"ab cd" *'),
  ),
}));

/** Queries that are valid FTS5, or nearly so. */
export const nearlyFts5: fc.Arbitrary<string> = fc.oneof(grammatical, heap);

/** Any string, even with lone surrogates. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat({ max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.string(),
);
