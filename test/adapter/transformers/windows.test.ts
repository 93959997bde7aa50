import { describe, expect, it } from 'vitest';
import { tokenWindows } from '../../../src/adapters/transformers/model/pooling.js';

describe('windows of tokens', () => {
  it.each([
    [0, [[0, 0]]],
    [1, [[0, 1]]],
    [254, [[0, 254]]],
    [
      255,
      [
        [0, 254],
        [127, 255],
      ],
    ],
    [
      381,
      [
        [0, 254],
        [127, 381],
      ],
    ],
    [
      382,
      [
        [0, 254],
        [127, 381],
        [254, 382],
      ],
    ],
  ])('of a text of %i tokens end with the first that reaches its end', (count, expected) => {
    const tokens = Array.from({ length: count }, (_, i) => i);
    const windows = tokenWindows(tokens, 254);
    expect(windows).toEqual(expected.map(([start, end]) => tokens.slice(start, end)));
  });

  it('of a text of 1,202 tokens are nine, as in reference.json', () => {
    expect(
      tokenWindows(
        Array.from({ length: 1202 }, () => 0),
        254,
      ),
    ).toHaveLength(9);
  });
});
