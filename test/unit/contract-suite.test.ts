import { expect, it } from 'vitest';
import { unknownTests } from '../contract/harness/contract-suite.js';

it('names the deviations of a contract suite that no test has', () => {
  const skip = [
    { reason: 'one', tests: ['known', 'gone'] },
    { reason: 'another', tests: ['misspelt'] },
  ];
  expect(unknownTests(skip, new Set(['known', 'other']))).toEqual(['gone', 'misspelt']);
  expect(unknownTests([], new Set(['known']))).toEqual([]);
});
