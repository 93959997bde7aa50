import { describe, expect, it } from 'vitest';
import { headOf, storableText, tailOf } from '../../../src/domain/chunks/text.js';

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

describe('tailOf', () => {
  it('answers the last units of a text', () => {
    expect(tailOf('abcdef', 2)).toBe('ef');
    expect(tailOf('abc', 5)).toBe('abc');
    expect(tailOf('', 5)).toBe('');
  });

  it('answers one fewer where the cut would halve a pair', () => {
    expect(tailOf('a🌋b', 2)).toBe('b');
    expect(tailOf('a🌋b', 3)).toBe('🌋b');
  });
});

describe('headOf', () => {
  it.each([
    ['ab\u{1F600}', 3, 'ab'],
    ['ab\u{1F600}', 4, 'ab\u{1F600}'],
    ['abc', 2, 'ab'],
    ['abc', 9, 'abc'],
    ['', 1, ''],
  ])('halves no pair: %j at %i', (text, length, head) => {
    expect(headOf(text, length)).toBe(head);
  });
});
