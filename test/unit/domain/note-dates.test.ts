import { describe, expect, it } from 'vitest';
import {
  ageText,
  isDay,
  readExpiry,
  readText,
  readTime,
} from '../../../src/domain/saved/note-dates.js';

describe('the expiry in frontmatter', () => {
  it.each([
    ['2026-12-31', '2026-12-31'],
    ['2026-12-31T10:00:00Z', '2026-12-31'],
    ['2026-12-31 10:00', '2026-12-31'],
    [new Date('2026-12-31T10:00:00Z'), '2026-12-31'],
    [' 2026-12-31 ', '2026-12-31'],
    ['2026-12-31x', undefined],
    ['2026-12-32', undefined],
    ['2026-12-311', undefined],
    [undefined, undefined],
    ['on 2026-12-31', undefined],
    ['2026-02-30', undefined],
    ['soon', undefined],
    [20261231, undefined],
  ])('%j is read as %j', (expires, day) => expect(readExpiry({ expires })).toBe(day));

  it('is absent without an entry, and without entries', () => {
    expect(readExpiry({})).toBeUndefined();
    expect(readExpiry('expires: 2026-12-31')).toBeUndefined();
    expect(readExpiry(['2026-12-31'])).toBeUndefined();
    expect(readExpiry(undefined)).toBeUndefined();
  });
});

it.each([
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-12-31T', false],
  ['+2026-12-31', false],
  ['2026-1-1', false],
  ['x2026-01-01', false],
  ['2026-01-01x', false],
  ['-001000-01-01', false],
  [['2026-12-31'], false],
  [7, false],
  [undefined, false],
  [new Date('2026-12-31'), false],
])('%j as a day: %j', (value, is) => expect(isDay(value)).toBe(is));

it.each([
  ['2026-12-31', '2026-12-31'],
  [' 2026-12-31T10:00Z ', '2026-12-31T10:00Z'],
  [' 2026-01-01 ', '2026-01-01'],
  ['yesterday', undefined],
  ['soon', undefined],
  ['', undefined],
  ['  ', undefined],
  [7, undefined],
])('%j as a time: %j', (value, time) => expect(readTime(value)).toBe(time));

it.each([
  [' a b\n', 'a b'],
  [' a ', 'a'],
  [' \n', undefined],
  ['', undefined],
  [7, undefined],
  [null, undefined],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
])('%j as text: %j', (value, text) => expect(readText(value)).toBe(text));

describe('the age of a note', () => {
  const now = new Date('2026-11-30T12:00:00Z');

  it.each([
    ['2026-11-30T11:00:00Z', 'today'],
    ['2026-11-29T12:00:01Z', 'today'],
    ['2026-11-29T12:00:00Z', '1 day ago'],
    ['2026-10-02', '59 days ago'],
    ['2026-10-01', '2 months ago'],
    ['2024-12-01', '24 months ago'],
    ['2024-11-30', '2 years ago'],
    ['2027-01-01', 'today'],
    ['2026-12-01T11:00:00Z', 'today'],
    ['2024-12-01T12:00:00Z', '24 months ago'],
    ['2024-11-30T12:00:00Z', '2 years ago'],
    ['not a time', 'today'],
  ])('since %s is %s', (time, text) => expect(ageText(time, now)).toBe(text));
});
