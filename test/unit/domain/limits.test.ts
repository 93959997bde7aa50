import { expect, it } from 'vitest';
import { wholeNumberRule } from '../../../src/domain/limits.js';

it('the rule for a number names its limits, grouped from five digits on', () => {
  expect(wholeNumberRule({ min: 1, max: 1000 })).toBe('must be a whole number from 1 to 1000');
  expect(wholeNumberRule({ min: 10_000, max: 200_000 })).toBe(
    'must be a whole number from 10,000 to 200,000',
  );
});
