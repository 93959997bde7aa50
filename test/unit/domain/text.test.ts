import { describe, expect, it } from 'vitest';
import {
  checksum,
  countWords,
  estimateTokens,
  isAscii,
  storableText,
  takeHead,
  takeTail,
  tokenCost,
} from '../../../src/domain/text.js';

describe('storableText', () => {
  it.each([
    ['\uFEFFa\uFEFFb', 'a\uFEFFb'],
    ['a\uFEFFb', 'a\uFEFFb'],
    ['a\0b', 'a\uFFFDb'],
    ['a\uD800b\uDC00', 'a\uFFFDb\uFFFD'],
    ['🌋 ä\r\n', '🌋 ä\r\n'],
  ])('stores %j as %j', (text, expected) => {
    expect(storableText(text)).toBe(expected);
  });
});

describe('takeTail', () => {
  it.each([
    ['abcdef', 2, 'ef'],
    ['abc', 5, 'abc'],
    ['', 5, ''],
    ['a🌋b', 2, 'b'],
    ['a🌋b', 3, '🌋b'],
    ['\udc0bab', 3, '\udc0bab'],
    ['\udc0bab', 5, '\udc0bab'],
  ])('halves no pair: %j at %i', (text, length, tail) => {
    expect(takeTail(text, length)).toBe(tail);
  });
});

describe('takeHead', () => {
  it.each([
    ['ab\u{1F600}', 3, 'ab'],
    ['ab\u{1F600}', 4, 'ab\u{1F600}'],
    ['abc', 2, 'ab'],
    ['abc', 9, 'abc'],
    ['', 1, ''],
    ['ab\ud83d', 3, 'ab\ud83d'],
    ['ab\ud83d', 5, 'ab\ud83d'],
  ])('halves no pair: %j at %i', (text, length, head) => {
    expect(takeHead(text, length)).toBe(head);
  });
});

it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('the checksum of %j is that of FNV-1a', (text, sum) => expect(checksum(text)).toBe(sum));

it('estimates 1.3 tokens a word', () => {
  expect(estimateTokens('ten words make thirteen tokens as the specification says it')).toBe(13);
  expect(estimateTokens(' \n')).toBe(0);
});

it('counts runs without white space as words', () => {
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

it.each([
  ['', true],
  ['plain\0\x7f\n', true],
  ['plainé', false],
  ['\x80', false],
])('%j has only letters that normalization leaves: %s', (text, is) =>
  expect(isAscii(text)).toBe(is),
);
