import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { bigramText } from '../../src/domain/bigrams.js';
import { sideReading, wantedTerms } from '../../src/domain/query/expression.js';
import { toFtsMatch } from '../../src/domain/query/fts-match.js';
import { allWords, anyInformativeWord, readPlain } from '../../src/domain/query/query.js';
import { anyText, Fts5Table } from '../support/chunks-in-fts5.js';
import { runs } from '../support/seed.js';

const letter = fc.constantFrom('认', '证', '户', 'の', 'ー', '가', '各');
const run = fc.array(letter, { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''));
const text = fc
  .array(fc.oneof(run, fc.constantFrom(' ', '、', ' api ', 'x1 ')), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('bigrams in FTS5', () => {
  const table = new Fts5Table();
  afterAll(() => table.close());

  it('find exactly the texts that contain the letters next to each other', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), run, (texts, word) => {
        table.fill(texts.map((content) => ({ content: bigramText(content) })));
        const places = table.match(match(allWords([word])));
        const holders = [...texts.keys()].filter((place) => texts[place]?.includes(word));
        expect(places).toEqual(holders);
        found += holders.length;
      }),
      runs(1000),
    );
    expect(found).toBeGreaterThan(100);
  });

  it('find by any word at least what all words find', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, (texts, query) => {
        table.fill(texts.map((content) => ({ content: bigramText(content) })));
        const read = readPlain(query);
        const words = read.kind === 'plain' ? read.words : [];
        if (words.length === 0) return;
        const any = new Set(table.match(match(anyInformativeWord(words))));
        for (const place of table.match(match(allWords(words)))) expect(any).toContain(place);
      }),
      runs(500),
    );
  });

  it('are a short query that SQLite accepts, for any text', () => {
    table.fill([{ content: '认证' }]);
    fc.assert(
      fc.property(fc.oneof(anyText, text, longRun), (anything) => {
        const read = readPlain(anything);
        const words = read.kind === 'plain' ? read.words : [];
        for (const expression of [allWords(words), anyInformativeWord(words)]) {
          if (expression === undefined) continue;
          expect(wantedTerms(expression).length).toBeLessThanOrEqual(128);
          expect(() => table.match(match(expression))).not.toThrow();
        }
      }),
      runs(500),
    );
  });
});

const longRun = fc
  .nat({ max: 3000 })
  .map((length) => String.fromCodePoint(...Array.from({ length }, (_, i) => 0x4e00 + i)));

function match(expression: ReturnType<typeof allWords>): string {
  const reading = expression && sideReading(expression);
  return reading === undefined ? '""' : toFtsMatch(reading.expression);
}
