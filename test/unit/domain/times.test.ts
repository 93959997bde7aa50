import { expect, it, onTestFinished } from 'vitest';
import { parseTime } from '../../../src/domain/query/times.js';

const NOW = new Date('2026-05-10T12:00:00.000Z');

it.each([
  ['12h', '2026-05-10T00:00:00.000Z'],
  ['7d', '2026-05-03T12:00:00.000Z'],
  ['3w', '2026-04-19T12:00:00.000Z'],
  ['0d', '2026-05-10T12:00:00.000Z'],
  ['2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['2026-05-01T10:30', '2026-05-01T10:30:00.000Z'],
  ['2026-05-01T10:30:15', '2026-05-01T10:30:15.000Z'],
  ['2026-05-01T10:30:15.25Z', '2026-05-01T10:30:15.250Z'],
  ['2026-05-01T10:30+02:00', '2026-05-01T08:30:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('%s is the time %s', (text, time) => {
  expect(parseTime(text, NOW)?.toISOString()).toBe(time);
});

it.each([
  ['2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['2026-05-01T10:30', '2026-05-01T10:30:00.000Z'],
])('%s is a time in UTC, wherever the machine is', (text, time) => {
  const { TZ } = process.env;
  onTestFinished(() => {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  });
  process.env['TZ'] = 'America/New_York';
  expect(new Date('2026-05-01T10:30').toISOString()).toBe('2026-05-01T14:30:00.000Z');
  expect(parseTime(text, NOW)?.toISOString()).toBe(time);
});

it.each([
  ...['', 'd', '7', '7m', '7 d', ' 7d', '7d ', '-7d', '123456d', 'x7d', '7dd'],
  ...['2026-02-30', '2026-13-01', '2026-00-10', '2026-5-1', '26-05-01', 'x2026-05-01'],
  ...['2026-05-01x', '2026-05-01T', '2026-05-01T25:00', '2026-05-01T10', '2026-05-01 10:30'],
  ...['2026-05-01T10:30:15.', '2026-05-01T10:30z', '2026-05-01T10:30+2', '2026-05-01Z'],
])('%j is no time', (text) => {
  expect(parseTime(text, NOW)).toBeUndefined();
});
