import { expect, it } from 'vitest';
import { storeVerdict, wrongSettings } from '../../../src/domain/upkeep/verdict.js';

const SETTINGS = { code: 'settings', sentence: 'fusion is wrong.' };
const OTHER = { code: 'left_out', sentence: 'Rows were left out.' };

it.each([
  [true, [], 'The store is sound.'],
  [true, [OTHER], 'The store is sound.'],
  [true, [OTHER, SETTINGS], 'The store is sound, but settings.json has errors.'],
  [false, [SETTINGS], 'The store has problems.'],
])('of a store that is sound (%j) with the findings %j: %s', (ok, findings, sentence) => {
  expect(storeVerdict({ ok, findings })).toBe(sentence);
});

it('wrong settings are told from other findings', () => {
  expect(wrongSettings([OTHER, SETTINGS])).toEqual([SETTINGS]);
});
