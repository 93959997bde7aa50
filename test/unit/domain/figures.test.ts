import { expect, it } from 'vitest';
import { counted, grouped } from '../../../src/domain/figures.js';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234.6, '1,235'],
  [12_345_678, '12,345,678'],
])('%d is written %s', (value, text) => {
  expect(grouped(value)).toBe(text);
});

it.each([
  [0, '0 chunks'],
  [1, '1 chunk'],
  [1234, '1,234 chunks'],
])('of %d there are "%s"', (value, text) => {
  expect(counted(value, 'chunk')).toBe(text);
});
