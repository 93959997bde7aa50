import { describe, expect, it } from 'vitest';
import { chunkId, embeddingText, sourceOfId } from '../../../src/domain/chunks/chunk.js';
import { EMBEDDED_MAX_CHARACTERS } from '../../../src/domain/limits.js';

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
