import { expect, it } from 'vitest';
import { containMarkdown } from '../../../../src/domain/sessions/contained-markdown.js';

it.each([
  ['a number sign in an underlined heading stays', 'C# words\n---', 'C# words\n\\---'],
  ['a rule below link definitions is no underline', '[x]: y\n---', '[x]: y\n---'],
  ['a quoted rule below a heading is no underline', 'words\n---\n> ---', 'words\n\\---\n> ---'],
  [
    'an indented rule below a heading is no underline',
    'words\n---\n    ---',
    'words\n\\---\n    ---',
  ],
  ['signs at the end of a line stay', 'one\ntwo --\n---', 'one\ntwo --\n\\---'],
  ['signs at the beginning of a line stay', 'one\n-- two\n---', 'one\n-- two\n\\---'],
  ['an indented underline is escaped', 'one\ntwo\n  === ', 'one\ntwo\n  \\=== '],
  ['rules one below the other are escaped while they underline', 'a\n===\n---', 'a\n\\===\n\\---'],
  ['a fence below text is closed', 'a\n\nb\n\n````\ncode', 'a\n\nb\n\n````\ncode\n````'],
  ['a comment below text is closed', 'a\n\nb\n\n<!-- x', 'a\n\nb\n\n<!-- x\n-->'],
  ['headings of level 3 stay', '### a\n#### b', '### a\n#### b'],
])('%s', (_, text, contained) => {
  expect(containMarkdown(text)).toBe(contained);
});

it('a block that no line closes is quoted as a whole', () => {
  expect(containMarkdown('# a\n<script>\nb')).toBe('> # a\n> <script>\n> b');
});
