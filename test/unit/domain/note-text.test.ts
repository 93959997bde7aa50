import { describe, expect, it } from 'vitest';
import { parseFrontmatter as parseYaml } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import {
  editNote,
  hasTitle,
  type NoteChanges,
  noteText,
  splitTitle,
} from '../../../src/domain/saved/note-text.js';

describe('the text of a new note', () => {
  it('takes from its own frontmatter only the fields that are not given', () => {
    const content =
      '---\ntags: [a, b]\nimportance: 0.9\nauthor: Ann\nsession: s1\nexpires: 2026-12-31\nteam: ops\n---\n# T\n\ntext';
    const own = noteText({ title: 'T', content }, parseYaml);
    expect(own).toMatchObject({
      title: 'T',
      content: 'text',
      metadata: {
        tags: ['a', 'b'],
        importance: 0.9,
        author: 'Ann',
        session: 's1',
        expires: '2026-12-31',
        team: 'ops',
      },
    });
    const given = { tags: ['c\nd', 'c d'], importance: 0.1, author: 'Bob', session: 's2' };
    const overriding = noteText({ title: 'T', content, ...given }, parseYaml);
    expect(overriding.metadata).toMatchObject({ ...given, tags: ['c d'], team: 'ops' });
  });

  it('keeps a title of the frontmatter that differs', () => {
    const titled = (title: string) =>
      noteText({ title, content: '---\ntitle: Old\nteam: x\n---\ntext' }, parseYaml).metadata;
    expect(titled('New')).toHaveProperty('title', 'Old');
    expect(titled('Old')).not.toHaveProperty('title');
  });

  it('takes a block without entries as text', () => {
    const content = '---\njust words\n---\ntext';
    expect(noteText({ title: 'T', content }, parseYaml).content).toBe(content);
    const empty = '---\n{}\n---\ntext';
    expect(noteText({ title: 'T', content: empty }, parseYaml).content).toBe(empty);
  });
});

describe('a changed note', () => {
  const before = (text: string) => ({ text, title: 'T', content: 'text' });
  const changed = (text: string, changes: NoteChanges) =>
    editNote(before(text), changes, parseYaml);

  it.each<[string, string, NoteChanges, string]>([
    [
      'its body, byte for byte',
      '---\na: 1\n---\n#  T \n\n\ntext  \n',
      { importance: 0.5 },
      '---\na: 1\nimportance: 0.5\n---\n#  T \n\n\ntext  \n',
    ],
    ['no frontmatter, without changes', '# T\n\ntext\n', {}, '# T\n\ntext\n'],
    [
      'what it had, with a paragraph',
      '# T\n\ntext\n\n\n',
      { append: '\n more \n' },
      '# T\n\ntext\n\nmore\n',
    ],
    [
      'a new title, also in the frontmatter',
      '---\ntitle: T\n---\n# T\n\ntext\n',
      { title: 'U' },
      '---\ntitle: "U"\n---\n# U\n\ntext\n',
    ],
    [
      'a new title in the frontmatter, with a space before the colon',
      '---\ntitle : T\n---\n# T\n\ntext\n',
      { title: 'U' },
      '---\ntitle: "U"\n---\n# U\n\ntext\n',
    ],
    [
      'a new title, only as a heading',
      '---\nsubtitle: T\n---\n# T\n\ntext\n',
      { title: 'U' },
      '---\nsubtitle: T\n---\n# U\n\ntext\n',
    ],
    ['a new text', '# T\n\ntext\n', { content: 'new' }, '# T\n\nnew\n'],
    [
      'its tags, without new ones',
      '---\ntags: [a]\n---\n# T\n\ntext\n',
      { content: 'new' },
      '---\ntags: [a]\n---\n# T\n\nnew\n',
    ],
    [
      'the tags of a new text',
      '---\ntags: [a]\n---\n# T\n\ntext\n',
      { content: '---\ntags: [b]\n---\nnew' },
      '---\ntags: ["b"]\n---\n# T\n\nnew\n',
    ],
    [
      'no tags, if none are given',
      '---\ntags: [a]\nb: 1\n---\n# T\n\ntext\n',
      { tags: [] },
      '---\nb: 1\n---\n# T\n\ntext\n',
    ],
  ])('has %s', (_, text, changes, expected) => {
    expect(changed(text, changes)).toBe(expected);
  });
});

it.each([
  ['# One #\n\n \n\ntext', { title: 'One', content: 'text' }],
  ['\n# One\r\n\r\ntext\n\nmore', { title: 'One', content: 'text\n\nmore' }],
  ['# One # \n\ntext', { title: 'One', content: 'text' }],
  ['# C#\ntext', { title: 'C#', content: 'text' }],
  ['# One', { title: 'One', content: '' }],
  ['\n \t\r\ntext\n\nmore', { content: 'text\n\nmore' }],
  ['\n\na\n', { content: 'a\n' }],
  ['## Two\n\ntext', { content: '## Two\n\ntext' }],
  ['text\n# One', { content: 'text\n# One' }],
  ['One\n===\n\ntext', { title: 'One', content: 'text' }],
  ['\nOne\r\n=\r\ntext', { title: 'One', content: 'text' }],
  ['One\n===', { title: 'One', content: '' }],
  ['- One\n===\ntext', { content: '- One\n===\ntext' }],
  ['\rOne\r===\r\rtext\rmore', { title: 'One', content: 'text\nmore' }],
  ['# One\r\rtext\rmore', { title: 'One', content: 'text\rmore' }],
  ['One\ntwo\n=====\n\ntext', { title: 'One two', content: 'text' }],
  ['One\n---\n\ntext', { content: 'One\n---\n\ntext' }],
  ['<!-- lint off -->\n# One\n\ntext', { title: 'One', content: '<!-- lint off -->\n\ntext' }],
  ['```\n# One\n```\n', { content: '```\n# One\n```\n' }],
  [`# ${'x'.repeat(1_001)}\n`, { content: `# ${'x'.repeat(1_001)}\n` }],
])('%j begins with its title: %j', (body, split) => expect(splitTitle(body)).toEqual(split));

it.each([
  ['# One\n\ntext', 'One', true],
  ['# One two', 'One', false],
  ['text', '', false],
  ['# \n', '', false],
])('%j has the title %j: %j', (body, title, has) => expect(hasTitle(body, title)).toBe(has));
