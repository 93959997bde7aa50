import { describe, expect, it } from 'vitest';
import {
  historyName,
  lastReplacedBySummary,
  type Replacing,
} from '../../../src/domain/upkeep/categories.js';

const NOW = new Date(Date.UTC(2026, 0, 2, 4));

const replaced = (seconds: number, by: Replacing, category = 'locks') =>
  historyName(category, new Date(Date.UTC(2026, 0, 2, 3, 4, seconds, 678)), by);

const OF_OTHERS = [
  replaced(9, 'summary', 'locks-old'),
  replaced(9, 'summary', 'my-locks'),
  `2026-01-02T03-04-09.678Z-locks`,
  `locks2026-01-02T03-04-09.678Z`,
  `locks-2026-01-02T03-04-09.678Z.bak`,
  `locks-2026-01-02T03-04-09.678Z-restored-twice`,
  'locks',
];

describe('the history of a category', () => {
  it('has names with the time, and what replaced the text', () => {
    expect(replaced(5, 'summary')).toBe('locks-2026-01-02T03-04-05.678Z');
    expect(replaced(5, 'restored')).toBe('locks-2026-01-02T03-04-05.678Z-restored');
  });

  it.each([
    [
      [replaced(1, 'summary'), replaced(3, 'summary'), replaced(2, 'summary')],
      replaced(3, 'summary'),
    ],
    [
      [replaced(2, 'restored'), replaced(1, 'summary'), replaced(3, 'summary')],
      replaced(3, 'summary'),
    ],
    [[replaced(1, 'restored'), replaced(2, 'summary'), ...OF_OTHERS], replaced(2, 'summary')],
    [[replaced(59, 'summary'), replaced(7, 'summary')], replaced(59, 'summary')],
  ])('of %j gives back what the last summary replaced', (names, expected) => {
    expect(lastReplacedBySummary('locks', names, NOW)).toBe(expected);
    expect(lastReplacedBySummary('locks', names.toReversed(), NOW)).toBe(expected);
  });

  it.each([
    [[]],
    [OF_OTHERS],
    [[replaced(1, 'summary'), replaced(2, 'restored')]],
    [[replaced(2, 'summary'), replaced(2, 'restored')]],
    [[replaced(1, 'summary'), replaced(3, 'restored'), replaced(2, 'summary')]],
  ])('of %j gives nothing back, or it would be put back twice', (names) => {
    expect(lastReplacedBySummary('locks', names, NOW)).toBeUndefined();
    expect(lastReplacedBySummary('locks', names.toReversed(), NOW)).toBeUndefined();
  });

  it('is not concerned with what is dated in the future', () => {
    const now = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
    const past = replaced(1, 'summary');
    expect(lastReplacedBySummary('locks', [past, replaced(9, 'summary')], now)).toBe(past);
    expect(lastReplacedBySummary('locks', [past, replaced(9, 'restored')], now)).toBe(past);
  });
});
