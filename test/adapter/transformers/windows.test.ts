import { expect, it } from 'vitest';
import { tokenWindows } from '../../../src/adapters/transformers/model/pooling.js';

it.each([
  [0, '0-0'],
  [1, '0-1'],
  [254, '0-254'],
  [255, '0-254 127-255'],
  [381, '0-254 127-381'],
  [382, '0-254 127-381 254-382'],
])('windows of %i tokens end with the first that reaches their end: %s', (count, expected) => {
  const tokens = Array.from({ length: count }, (_, i) => i);
  const places = expected.split(' ').map((place) => place.split('-').map(Number));
  const windows = places.map(([start, end]) => tokens.slice(start, end));
  expect(tokenWindows(tokens, 254)).toEqual(windows);
});

it('windows of 1,202 tokens are nine, as in reference.json', () => {
  expect(tokenWindows(Array(1202).fill(0), 254)).toHaveLength(9);
});
