import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToFit, packToFit } from '../../src/domain/chunks/cutting.js';
import { countWords } from '../../src/domain/text.js';
import { runs } from '../support/seed.js';

const limit = fc.record({
  words: fc.integer({ min: 1, max: 8 }),
  characters: fc.integer({ min: 1, max: 40 }),
});
const scrap = fc.constantFrom(
  ...['word', 'a', '. ', '! ', '." ', '\n', '\r\n', '\t', ' ', '\u3000', '。', '…', '🌋', '3.14'],
  'x'.repeat(30),
);
const text = fc.oneof(
  fc.array(scrap, { maxLength: 40 }).map((scraps) => scraps.join('')),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

describe('cutToFit, for any text and room', () => {
  it('cuts pieces that fit, are not empty, and joined are the text', () => {
    fc.assert(
      fc.property(text, limit, (whole, limits) => {
        const pieces = cutToFit(whole, limits);
        expect(pieces.join('')).toBe(whole);
        for (const piece of pieces) {
          expect(countWords(piece)).toBeLessThanOrEqual(limits.words);
          expect(piece.length).toBeLessThanOrEqual(limits.characters);
          if (whole !== '') expect(piece).not.toBe('');
        }
      }),
      runs(500),
    );
  });

  it('leaves alone what fits', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const enough = { words: countWords(whole), characters: whole.length };
        expect(cutToFit(whole, enough)).toEqual([whole]);
      }),
      runs(200),
    );
  });

  it('splits no surrogate pair even if a piece has room for only one', () => {
    fc.assert(
      fc.property(text, limit, (whole, limits) => {
        const pieces = cutToFit(whole, { ...limits, characters: limits.characters + 1 });
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
      }),
      runs(500),
    );
  });
});

describe('packToFit, for any pieces', () => {
  const pieces = fc.array(fc.constantFrom('a ', 'b c ', 'd\n', 'e f g h '), { maxLength: 20 });

  it('joins neighbours as long as they fit, and never parts or reorders', () => {
    fc.assert(
      fc.property(pieces, limit, (parts, limits) => {
        const packed = packToFit(parts, limits);
        expect(packed.join('')).toBe(parts.join(''));
        for (const [i, after] of packed.slice(1).entries()) {
          const joined = `${packed[i]}${after}`;
          const fits = countWords(joined) <= limits.words && joined.length <= limits.characters;
          expect(fits).toBe(false);
        }
        for (const piece of packed) {
          const fits = countWords(piece) <= limits.words && piece.length <= limits.characters;
          expect(fits || parts.some((part) => part === piece)).toBe(true);
        }
      }),
      runs(300),
    );
  });
});
