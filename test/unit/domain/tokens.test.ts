import { expect, it } from 'vitest';
import { countWords, estimateTokens, tokenCost } from '../../../src/domain/chunks/text.js';

it('estimates 1.3 tokens a word', () => {
  expect(estimateTokens('ten words make thirteen tokens as the specification says it')).toBe(13);
  expect(estimateTokens(' \n')).toBe(0);
});

it('counts what stands between white space as words', () => {
  expect(countWords("  don't\tsplit-this \u3000 C++\n")).toBe(3);
});

it('costs a token for every four UTF-16 units, the last one whole', () => {
  expect([0, 1, 4, 5, 8].map((length) => tokenCost('x'.repeat(length)))).toEqual([0, 1, 1, 2, 2]);
  expect(tokenCost('🌋🌋🌋')).toBe(2);
});

it('parts words where regular expressions see white space, and nowhere else', () => {
  const units = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit));
  const parting = units.filter((unit) => countWords(`a${unit}b`) === 2);
  expect(parting).toEqual(units.filter((unit) => /\s/.test(unit)));
  expect(countWords(` \n${parting.join('')}`)).toBe(0);
});
