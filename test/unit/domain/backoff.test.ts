import { expect, it } from 'vitest';
import { backoffMs } from '../../../src/domain/retry-pause.js';

it('doubles the pause with every failure, up to the longest', () => {
  const pauses = [1, 2, 3, 4, 5, 2000].map((failures) =>
    backoffMs({ firstMs: 10, longestMs: 60 }, failures),
  );
  expect(pauses).toEqual([10, 20, 40, 60, 60, 60]);
});
