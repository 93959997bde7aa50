import { describe, expect, it } from 'vitest';
import { chunkId, embeddingText, sourceOfId } from '../../../src/domain/chunks/chunk.js';
import { lineOfChunk } from '../../../src/domain/chunks/chunk-place.js';
import { chunkMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { EMBEDDED_MAX_CHARACTERS } from '../../../src/domain/limits.js';

const FILE = [
  '---',
  'tags: [a]',
  '---',
  '# Title',
  '',
  '## One',
  'same words',
  '',
  '## Two ##',
  '',
  'same words',
  'and more',
  '### Deeper',
  'last',
].join('\n');

it.each([
  ['a section', { heading: 'One', content: 'same words' }, 6],
  ['a section with the same text', { heading: 'Two', content: 'same words\nand more' }, 9],
  ['the second part of a section', { heading: 'Two', content: '### Deeper\nlast' }, 13],
  ['the end of a text, cut in a line', { content: 'ords\nand more\n### Deeper' }, 11],
  ['a heading alone', { heading: 'Two', content: '' }, 9],
])('finds %s', (_, chunk, line) => {
  expect(lineOfChunk(FILE, chunk)).toBe(line);
  expect(lineOfChunk(FILE.replaceAll('\n', '\r\n'), chunk)).toBe(line);
});

const BROKEN =
  '## A\nfirst part of it\n\n whole line \nend of it\n\n   ###\tB ##  \n\n\nfirst part\n';

it.each([
  ['of which a middle line is indented', { content: 'part of it\nwhole line\nend' }, 2],
  ['of which a middle line is another', { content: 'part of it\nwhole\nend' }, undefined],
  ['behind blank lines of its heading', { heading: 'B', content: 'first part' }, 7],
  ['under no heading that is known', { heading: 'C', content: 'first part' }, 2],
  ['that goes on where the file ends', { content: 'first part\nmore' }, undefined],
  [
    'that is a heading alone, which the file does not have',
    { heading: 'C', content: '' },
    undefined,
  ],
  ['without heading and text', { content: ' ' }, undefined],
])('finds a text %s', (_, chunk, line) => {
  expect(lineOfChunk(BROKEN, chunk)).toBe(line);
});

it('does not know where a text is that the file does not have', () => {
  expect(lineOfChunk(FILE, { heading: 'One', content: 'other words' })).toBeUndefined();
  expect(lineOfChunk('', { content: 'a' })).toBeUndefined();
});

it('finds every chunk of a long file, in the order of the file', () => {
  const text = Array.from(
    { length: 40 },
    (_, i) => `## Part ${i}\n\n${`word${i} `.repeat(400)}\n`,
  ).join('\n');
  const chunks = chunkMarkdownFile(text, { parseYaml: () => undefined });
  const lines = chunks.map((chunk) => lineOfChunk(text, chunk) ?? 0);
  expect(Math.min(...lines)).toBeGreaterThan(0);
  expect(lines).toEqual([...lines].sort((a, b) => a - b));
});

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
