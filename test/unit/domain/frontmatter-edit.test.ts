import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { renderFrontmatter, withFrontmatter } from '../../../src/domain/saved/frontmatter-edit.js';

const set = (text: string, entries: Readonly<Record<string, unknown>>) =>
  withFrontmatter(text, entries, parseFrontmatter);

describe('entries set in the lines of a frontmatter', () => {
  it.each([
    ['added after the last line', 'a: 1\n', { b: 2 }, 'a: 1\nb: 2\n'],
    ['in the place of the former one', 'a: 1\nb: 2\nc: 3\n', { b: 'x' }, 'a: 1\nb: "x"\nc: 3\n'],
    ['with its further lines', 'a:\n  - 1\n  - 2\nb: 2\n', { a: 7 }, 'a: 7\nb: 2\n'],
    ['only once', 'a: 1\na: 2\nb: 3\n', { a: 7 }, 'a: 7\nb: 3\n'],
    ['removed if empty', 'a: [1]\nb: 2\n', { a: [] }, 'b: 2\n'],
    ['unchanged if undefined', 'a: 1\n', { a: undefined }, 'a: 1\n'],
    ['beside comments', '# top\na: 1\n# why\nb: 2\n', { a: 2 }, '# top\na: 2\n# why\nb: 2\n'],
    ['for a quoted name', '"my key": 1\nb: 2\n', { 'my key': 3 }, '"my key": 3\nb: 2\n'],
    ['after what is not quite YAML', 'a: b: c\n', { b: 1 }, 'a: b: c\nb: 1\n'],
    ['with line ends of old Macs', 'a: 1\rb: 2\r', { a: 3 }, 'a: 3\nb: 2\r'],
    ['with an emptied list before others', 'a:\r\n- 1\r\nb: 2\r\n', { a: [] }, 'b: 2\r\n'],
    ['with Windows line ends', 'a: 1\r\nb: 2\r\n', { b: 3 }, 'a: 1\r\nb: 3\n'],
    [
      'below a blank line and an indented comment',
      '\n  # x\na: 1\n',
      { b: 2 },
      '\n  # x\na: 1\nb: 2\n',
    ],
    ['after a blank line that has no entries', '\n', { a: 1 }, '\na: 1\n'],
    [
      'in a mapping below a comment without a space',
      '#why\na: 1\n',
      { b: 2 },
      '#why\na: 1\nb: 2\n',
    ],
    [
      'in place of an indented mapping, whose others stay',
      '  a: 1\n  b: x\n',
      { a: 2 },
      'a: 2\nb: "x"\n',
    ],
  ])('are %s', (_, yaml, entries, expected) => {
    expect(set(`---\n${yaml}---\nbody`, entries)).toBe(`---\n${expected}---\nbody`);
  });

  it('take the place of a mapping on one line, whose other entries stay', () => {
    expect(set('---\n{a: 1, b: x}\n---\nbody', { a: 2, c: undefined })).toBe(
      '---\na: 2\nb: "x"\n---\nbody',
    );
  });

  it('leave an entry of such a mapping if they are undefined', () => {
    expect(set('---\n{a: 1, b: x}\n---\nbody', { a: 2, b: undefined })).toBe(
      '---\na: 2\nb: "x"\n---\nbody',
    );
  });

  it('begin a text without frontmatter, or with a block that is none', () => {
    expect(set('body', { a: 1 })).toBe('---\na: 1\n---\nbody');
    expect(set('---\njust words\n---\nbody', { a: 1 })).toBe(
      '---\na: 1\n---\n---\njust words\n---\nbody',
    );
  });

  it('begin a text with a block that is not YAML and has no entry on a line of its own', () => {
    expect(set('---\n  a: b: c\n---\nbody', { a: 1 })).toBe(
      '---\na: 1\n---\n---\n  a: b: c\n---\nbody',
    );
  });

  it('leave no frontmatter if none is left', () => {
    expect(set('---\na: [1]\n---\nbody', { a: [] })).toBe('body');
    expect(set('body', { a: undefined, b: [] })).toBe('body');
  });
});

it('a frontmatter quotes the names that need it', () => {
  const entries = { tags: ['a'], 'a b': 1, 'é-x': 2, 'a!': 3, none: [], absent: undefined };
  expect(renderFrontmatter(entries)).toBe('---\ntags: ["a"]\n"a b": 1\n"é-x": 2\n"a!": 3\n---\n');
  expect(renderFrontmatter({})).toBe('');
});
