import { describe, expect, it } from 'vitest';
import { cutMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { syntaxFor } from '../../../src/domain/chunks/other-syntaxes.js';

function cut(file: string, text: string) {
  return cutMarkdownFile(text, { parseYaml: () => undefined, syntax: syntaxFor(file) });
}

function outline(file: string, text: string) {
  return cut(file, text).chunks.map(({ heading, content }) => [heading, content]);
}

describe('the title of a file', () => {
  it.each([
    ['a.adoc', '=  Guide\n\ntext'],
    ['a.rst', 'Guide \n=====\n\ntext'],
  ])('has no blanks around it: in %s, %j', (file, text) => {
    expect(cut(file, text).names).toEqual({ title: 'Guide' });
  });
});

describe('an underline of reStructuredText', () => {
  it('may have blanks behind it', () => {
    expect(outline('a.rst', 'A\n--- \na\n\nB\n---\nb')).toEqual([
      ['A', 'a'],
      ['B', 'b'],
    ]);
  });

  it.each(['A\n--- x\na', 'A\n---x\na'])('is no underline with text behind it: %j', (text) => {
    expect(outline('a.rst', text)).toEqual([[undefined, text]]);
  });

  it.each(['a\n\n----\n\nb', 'a\n  \n----\n\nb'])('is a rule below a blank line: %j', (text) => {
    expect(outline('a.rst', text)).toEqual([
      [undefined, 'a'],
      [undefined, 'b'],
    ]);
  });
});
