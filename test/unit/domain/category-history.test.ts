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

  /** `s3`: replaced by a summary in second 3; `r3`: by what was restored. */
  const namesOf = (text: string) =>
    text.split(' ').flatMap((word) => {
      if (word === 'others') return OF_OTHERS;
      return replaced(Number(word.slice(1)), word.startsWith('s') ? 'summary' : 'restored');
    });

  it.each([
    ['s1 s3 s2', 's3'],
    ['r2 s1 s3', 's3'],
    ['r1 s2 others', 's2'],
    ['s59 s7', 's59'],
    ['others', undefined],
    ['s1 r2', undefined],
    ['s2 r2', undefined],
    ['s1 r3 s2', undefined],
  ])('of %s gives %s back, or it would be put back twice', (all, wanted) => {
    const [names, expected] = [namesOf(all), wanted && namesOf(wanted)[0]];
    expect(lastReplacedBySummary('locks', names, NOW)).toBe(expected);
    expect(lastReplacedBySummary('locks', names.toReversed(), NOW)).toBe(expected);
    expect(lastReplacedBySummary('locks', [], NOW)).toBeUndefined();
  });

  it('is not concerned with what is dated in the future', () => {
    const now = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
    const past = replaced(1, 'summary');
    expect(lastReplacedBySummary('locks', [past, replaced(9, 'summary')], now)).toBe(past);
    expect(lastReplacedBySummary('locks', [past, replaced(9, 'restored')], now)).toBe(past);
  });
});
