import { expect, it } from 'vitest';
import {
  chunksHave,
  formatCount,
  formatIfLong,
  formatInteger,
} from '../../../src/domain/figures.js';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234.6, '1,235'],
  [12_345_678, '12,345,678'],
])('%d is written %s', (value, text) => {
  expect(formatInteger(value)).toBe(text);
});

it.each([
  [0, '0 chunks'],
  [1, '1 chunk'],
  [1234, '1,234 chunks'],
])('of %d there are "%s"', (value, text) => {
  expect(formatCount(value, 'chunk')).toBe(text);
});

it.each([
  [9999, '9999'],
  [10_000, '10,000'],
])('%d is grouped only from five digits on: %s', (value, text) => {
  expect(formatIfLong(value)).toBe(text);
});

it('a chunk has, and chunks have', () => {
  expect([0, 1, 2].map(chunksHave)).toEqual(['0 chunks have', '1 chunk has', '2 chunks have']);
});
