import { describe, expect, it } from 'vitest';
import { hasEntryPerLine, withEntries } from '../../../src/domain/saved/frontmatter-edit.js';

describe('entries set in the lines of a frontmatter', () => {
  it.each([
    ['added to none', '', { tags: ['a'] }, 'tags: ["a"]\n'],
    ['added after the last line', 'a: 1\n', { b: 2 }, 'a: 1\nb: 2\n'],
    ['added after a last line without an end', 'a: 1', { b: 2 }, 'a: 1\nb: 2\n'],
    ['in the place of the former one', 'a: 1\nb: 2\nc: 3\n', { b: 'x' }, 'a: 1\nb: "x"\nc: 3\n'],
    ['with its further lines', 'a:\n  - 1\n  - 2\nb: 2\n', { a: 7 }, 'a: 7\nb: 2\n'],
    ['only once', 'a: 1\na: 2\nb: 3\n', { a: 7 }, 'a: 7\nb: 3\n'],
    ['removed if empty', 'a: [1]\nb: 2\n', { a: [] }, 'b: 2\n'],
    ['unchanged if undefined', 'a: 1\n', { a: undefined }, 'a: 1\n'],
    ['beside comments', '# top\na: 1\n# why\n', { a: 2 }, '# top\na: 2\n# why\n'],
    ['for a quoted name', '"my key": 1\nb: 2\n', { 'my key': 3 }, '"my key": 3\nb: 2\n'],
    [
      'with a name that needs quotes',
      '',
      { 'a b': 1, 'é-x': 2, 'a!': 3 },
      '"a b": 1\n"é-x": 2\n"a!": 3\n',
    ],
    ['with Windows line ends', 'a: 1\r\nb: 2\r\n', { b: 3 }, 'a: 1\r\nb: 3\n'],
    ['with old line ends', 'a: 1\rb: 2\r', { a: 3 }, 'a: 3\nb: 2\r'],
    ['after lines that are no entries', '- x\nstill: 1', { b: 1 }, '- x\nstill: 1\nb: 1\n'],
  ])('are %s', (_, yaml, entries, expected) => {
    expect(withEntries(yaml, entries)).toBe(expected);
  });
});

it.each([
  ['', true],
  ['# only a comment\n', true],
  ['a: 1\n', true],
  ['\n  # why\n"a b": 1', true],
  ['{a: 1, b: 2}\n', false],
  ['  - x\n', false],
  ['# why\n- a: 1\n', false],
])('%j has an entry per line: %j', (yaml, has) => expect(hasEntryPerLine(yaml)).toBe(has));
