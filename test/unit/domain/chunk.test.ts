import { describe, expect, it } from 'vitest';
import { chunkId, embeddingText, sourceOfId } from '../../../src/domain/chunks/chunk.js';
import { headerText, nameWords } from '../../../src/domain/chunks/source-names.js';
import { EMBEDDED_MAX_CHARACTERS, HEADER_MAX_CHARACTERS } from '../../../src/domain/limits.js';

describe('the id of a chunk', () => {
  it.each(['a.md', 'a#b.md', ''])('names its source, %j', (sourceFile) => {
    expect(chunkId(sourceFile, 12)).toBe(`${sourceFile}#12`);
    expect(sourceOfId(chunkId(sourceFile, 12))).toBe(sourceFile);
  });
});

describe('the text that is embedded for a chunk', () => {
  it('is the heading and the content, or the content alone', () => {
    expect(embeddingText({ heading: 'Locks', content: 'Use WAL.' })).toBe('Locks\nUse WAL.');
    expect(embeddingText({ content: 'Use WAL.' })).toBe('Use WAL.');
  });

  it('has a bounded length', () => {
    const content = 'a'.repeat(EMBEDDED_MAX_CHARACTERS);
    expect(embeddingText({ content })).toBe(content);
    expect(embeddingText({ heading: 'b', content })).toHaveLength(EMBEDDED_MAX_CHARACTERS);
  });
});

describe('the names of a file', () => {
  it('are its names, its path without the ending, and the parts of its words in mixed case', () => {
    const names = { title: 'Use WAL', aliases: ['locks'], description: 'Why.' };
    const words = (sourceFile: string, of = {}) =>
      nameWords({ sourceFile, names: of }).trim().split('\n');
    expect(words('docs/auditLogs.v2.md', names)).toEqual([
      ...['Use WAL', 'locks', 'Why.', 'docs/auditLogs.v2', 'audit', 'Logs'],
    ]);
    expect(words('.rules/a')).toEqual(['.rules/a']);
    expect(nameWords({ sourceFile: 'a' }).trim()).toBe('a');
  });

  it.each([
    ['docs/a.md', 'Use WAL', 'Use WAL\ndocs/a.md'],
    ['.app/notes/locks.md', '', 'locks.md'],
    ['7.md', 'Use WAL', 'Use WAL'],
    ['7.md', 'C', ''],
    ['7.md', 'x'.repeat(HEADER_MAX_CHARACTERS + 1), 'x'.repeat(HEADER_MAX_CHARACTERS)],
  ])('is embedded for %s with the title %j as %j', (sourceFile, title, text) => {
    expect(headerText({ sourceFile, names: { title } })).toBe(text);
  });
});
