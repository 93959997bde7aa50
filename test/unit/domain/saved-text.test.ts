import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { chunkMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { splitFrontmatter } from '../../../src/domain/chunks/frontmatter.js';
import {
  documentText,
  isMadeFrom,
  onOneLine,
  readPage,
  savedText,
  textOfDigest,
  textOfPage,
} from '../../../src/domain/saved/saved-text.js';

describe('the text of a saved file', () => {
  it('is a title and the content if there is no metadata', () => {
    const metadata = { tags: [], importance: undefined };
    expect(savedText({ metadata, title: 'Locks', content: 'Use WAL.\n\n' })).toBe(
      '# Locks\n\nUse WAL.\n',
    );
  });

  it('keeps every value of the metadata', () => {
    const metadata = {
      source: 'https://example.org/?a=b#c: d',
      tags: ['a "b"', 'no', '1', '- x', 'ü'],
      importance: 0.25,
    };
    const text = savedText({ metadata, title: 'Locks', content: '---\nimportance: 1\n---\n' });
    const { yaml = '', body } = splitFrontmatter(text);
    expect(parseFrontmatter(yaml)).toEqual(metadata);
    expect(body).toBe('# Locks\n\n---\nimportance: 1\n---\n');
  });

  it.each(['Locks', 'C#', 'Issue #', '## not a section', '1. one'])('has the title %s', (title) => {
    const text = savedText({ metadata: {}, title, content: 'One.\n\nTwo.' });
    const headings = chunkMarkdownFile(text, { parseYaml: () => undefined }).map((c) => c.heading);
    expect(headings).toEqual([title, title]);
  });
});

describe('the text of a document', () => {
  const own = '---\ntitle: T\ntags: [a]\n"my key": 1\n---\ntext';

  it.each([
    ['as it is without any', own, {}, own],
    [
      'as it is, also with Windows line ends',
      '---\r\na: 1\r\n---\r\nx',
      {},
      '---\r\na: 1\r\n---\r\nx',
    ],
    ['before a text', 'text', { importance: 0.5 }, '---\nimportance: 0.5\n---\ntext'],
    [
      'instead of its own',
      own,
      { tags: ['b\nc'] },
      '---\ntitle: T\ntags: ["b c"]\n"my key": 1\n---\ntext',
    ],
    [
      'beside what is not quite YAML',
      '---\ntitle: Wal: on\ntags:\n- x\n- y: [\n# why\nteam: *ops\n---\nx',
      { tags: ['b'], importance: 0.5 },
      '---\ntitle: Wal: on\ntags: ["b"]\n# why\nteam: *ops\nimportance: 0.5\n---\nx',
    ],
    [
      'instead of lists over several lines',
      '---\r\ntags: [a,\r\n  b\r\n]\r\n"importance" : 1\r\nx: 1\r\n---\r\nx',
      { tags: ['b'], importance: 0.5 },
      '---\ntags: ["b"]\nimportance: 0.5\nx: 1\r\n---\nx',
    ],
    [
      'in a mapping on one line',
      '---\n{tags: [a], x: 1}\n---\nx',
      { tags: ['b'] },
      '---\ntags: ["b"]\nx: 1\n---\nx',
    ],
    ['instead of its own, none', '---\ntags: [a]\n---\nx', { tags: [] }, 'x'],
  ])('has tags and importance %s', (_, content, metadata, expected) => {
    const parse = (yaml: string) => parseFrontmatter(yaml);
    expect(documentText({ content, ...metadata }, parse)).toBe(expected);
  });
});

describe('a title or a tag', () => {
  it('is on one line, without control characters and halves of letters', () => {
    expect(onOneLine(' a\r\n\tb\0c  d\u2028')).toBe('a b c d');
    expect(onOneLine('\ud83d')).toBe('\ufffd');
  });
});

describe('a digest', () => {
  const sources = [
    { sourceFile: 'a.md', hash: 'one' },
    { sourceFile: 'b.md', hash: 'two' },
  ];
  const { metadata } = textOfDigest({ title: 'A', made: '2026-01-01', sources, content: 'text' });

  it('names its sources and their hashes', () => {
    expect(metadata).toEqual({
      title: 'A',
      made: '2026-01-01',
      sources: ['a.md', 'b.md'],
      hashes: ['one', 'two'],
    });
    expect(isMadeFrom(metadata, sources)).toBe(true);
  });

  it.each([
    [{ ...metadata, hashes: ['one', 'other'] }],
    [{ ...metadata, sources: ['a.md', 'c.md'] }],
    [{ ...metadata, sources: ['b.md', 'a.md'] }],
    [{ ...metadata, hashes: ['one', 'two', 'three'] }],
    [{ ...metadata, sources: { length: 2, 0: 'a.md', 1: 'b.md' } }],
    [{ sources: metadata['sources'] }],
    [{ hashes: metadata['hashes'] }],
    [undefined],
    ['text'],
  ])('with %j is made of others', (frontmatter) => {
    expect(isMadeFrom(frontmatter, sources)).toBe(false);
  });
});

describe('the file of a page', () => {
  const page = {
    source: 'https://a.example/',
    title: 'A title',
    fetched: '2026-01-01T00:00:00.000Z',
    tags: ['one'],
    importance: 0.7,
    content: 'text\n\n# More',
  };

  it('is read as it was written', () => {
    const { metadata, title, content } = textOfPage(page);
    expect(title).toBe('A title');
    expect(metadata).not.toHaveProperty('content');
    expect(readPage(metadata, `\n \n# ${title}\n\n${content}\n`)).toEqual(page);
  });

  it('keeps a text without a heading, and loses fields that are not text', () => {
    expect(
      readPage({ source: 'https://a.example/', title: ['A'] }, ' text\n# More\n\nend '),
    ).toEqual({
      source: 'https://a.example/',
      title: '',
      fetched: '',
      content: 'text\n# More\n\nend',
    });
  });

  it.each([undefined, null, 'text', [], { source: 7 }, { title: 'A' }])(
    'with %j is that of no page',
    (frontmatter) => {
      expect(readPage(frontmatter, 'text')).toBeUndefined();
    },
  );
});
