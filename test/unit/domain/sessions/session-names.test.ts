import { expect, test } from 'vitest';
import { groupSessionFiles } from '../../../../src/domain/sessions/session-names.js';

test('sessions are listed by day, the newest first, each with all of its files', () => {
  const names = [
    '2026-11-01-a1',
    '2026-11-01-a1-10',
    '2026-11-01-a1-2',
    '2026-11-01-b',
    '2026-11-01-a0',
    'x-2026-11-09-y',
    '2026-11-03-4f2a-123456',
    'renamed by hand',
  ];
  expect(groupSessionFiles(names)).toEqual([
    { day: '2026-11-03', names: ['2026-11-03-4f2a-123456'] },
    { day: '2026-11-01', names: ['2026-11-01-b'] },
    { day: '2026-11-01', names: ['2026-11-01-a1', '2026-11-01-a1-2', '2026-11-01-a1-10'] },
    { day: '2026-11-01', names: ['2026-11-01-a0'] },
    { names: ['x-2026-11-09-y'] },
    { names: ['renamed by hand'] },
  ]);
});

test('a continuation whose first file is gone is on its own', () => {
  expect(groupSessionFiles(['2026-11-01-a1-2'])).toEqual([
    { day: '2026-11-01', names: ['2026-11-01-a1-2'] },
  ]);
});

test.each([
  [['s', 's-2', 's-3', 's-10']],
  [['s-2', 's-10', 's', 's-3']],
  [['s-10', 's-3', 's-2', 's']],
])(
  'the files of a session continue it by number, in whatever order they are listed: %j',
  (names) => {
    expect(groupSessionFiles(names)).toStrictEqual([{ names: ['s', 's-2', 's-3', 's-10'] }]);
  },
);

test('a file that seems to continue a continuation belongs to the same session', () => {
  expect(groupSessionFiles(['s', 's-2', 's-2-3'])).toStrictEqual([
    { names: ['s', 's-2', 's-2-3'] },
  ]);
});

test.each([
  [['z', '2026-11-01-a', 'y']],
  [['2026-11-01-a', 'y', 'z']],
  [['y', 'z', '2026-11-01-a']],
])('sessions without a day are last: %j', (names) => {
  const sessions = groupSessionFiles(names);
  expect(sessions.map((session) => session.names[0])).toEqual(['2026-11-01-a', 'z', 'y']);
});
