import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { chunkMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { splitFrontmatter } from '../../../src/domain/chunks/frontmatter.js';
import { onOneLine, savedText } from '../../../src/domain/saved/saved-text.js';

describe('the text of a saved file', () => {
  it('is a title and the content where there is no metadata', () => {
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

describe('a title or a tag', () => {
  it('is on one line, without control characters and halves of letters', () => {
    expect(onOneLine(' a\r\n\tb\0c  d\u2028')).toBe('a b c d');
    expect(onOneLine('\ud83d')).toBe('\ufffd');
  });
});
