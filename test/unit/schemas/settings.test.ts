import { describe, expect, it } from 'vitest';
import { chunkSizes, DEFAULT_SETTINGS, type Settings } from '../../../src/domain/settings.js';
import { readSettings } from '../../../src/schemas/settings.js';

describe('readSettings', () => {
  it('has the specified defaults', () => {
    expect(readSettings(undefined)).toEqual({ settings: DEFAULT_SETTINGS, problems: [] });
    expect(DEFAULT_SETTINGS).toMatchObject({
      maxChunkSize: 1000,
      chunkOverlap: 200,
      defaultImportance: 0.5,
      autoReindex: true,
      includePatterns: ['**/*.md'],
      excludePatterns: [],
      hybridRetrieval: true,
    });
  });

  it('accepts valid entries and reports each of the others in a sentence', () => {
    const value = { maxChunkSize: 300, autoReindex: 'yes', fusions: 1 };
    expect(readSettings(value)).toEqual({
      settings: { ...DEFAULT_SETTINGS, maxChunkSize: 300 },
      problems: [
        'knowledgeStore.autoReindex must be true or false.',
        'knowledgeStore.fusions is not a setting.',
      ],
    });
  });

  it.each([
    ['fusion', 'blend'],
    ['candidates', 'union'],
  ])('ignores the former setting %s and says why', (name, value) => {
    expect(readSettings({ [name]: value })).toEqual({
      settings: DEFAULT_SETTINGS,
      problems: [`knowledgeStore.${name} is a field of a search request, not a setting.`],
    });
  });

  it.each([null, [], 'text', 7, true])('takes %j for no settings at all', (value) => {
    expect(readSettings(value)).toEqual({
      settings: DEFAULT_SETTINGS,
      problems: ['knowledgeStore must be an object.'],
    });
  });

  it.each([
    ['maxChunkSize', 1, 0],
    ['pieceSize', 1_000_000, 0],
    ['maxChunkSize', 1_000_000, 1.5],
    ['chunkOverlap', 0, -1],
    ['defaultImportance', 0, -0.01],
    ['defaultImportance', 1, 1.01],
    ['autoReindex', false, 0],
    ['hybridRetrieval', false, null],
    ['queryVectorTimeoutMs', 60_000, 60_001],
    ['includePatterns', ['docs/**'], 'docs/**'],
    ['includePatterns', Array(100).fill('a'), Array(101).fill('a')],
    ['excludePatterns', ['x'.repeat(200)], ['x'.repeat(201)]],
    ['excludePatterns', ['**/*.{md,mdx}'], ['{a,{b,c}}']],
    ['includePatterns', ['**/a/**/b*c*d.md'], ['(a+)+b.md']],
    ['excludePatterns', ['a..b/c'], ['a/../b']],
    ['excludePatterns', [], ['/etc/*']],
    ['excludePatterns', ['a'], ['']],
    ['excludePatterns', ['7'], [7]],
  ])('%s may be %j but not %j', (name, good, bad) => {
    expect(readSettings({ [name]: good })).toEqual({
      settings: { ...DEFAULT_SETTINGS, [name]: good },
      problems: [],
    });
    expect(readSettings({ [name]: bad }).settings).toEqual(DEFAULT_SETTINGS);
    expect(readSettings({ [name]: bad }).problems).toHaveLength(1);
  });

  it('is not fooled by names that every object has', () => {
    const value: unknown = JSON.parse('{"__proto__": {"maxChunkSize": 1}, "constructor": 1}');
    expect(readSettings(value).settings).toEqual(DEFAULT_SETTINGS);
  });
});

describe('chunkSizes', () => {
  it('limits chunks to 500 tokens, and pieces to the size of a chunk', () => {
    const sizes = (settings: Partial<Settings>) => chunkSizes({ ...DEFAULT_SETTINGS, ...settings });
    expect(sizes({})).toEqual({ maxTokens: 500, pieceTokens: 200 });
    expect(sizes({ maxChunkSize: 300 })).toEqual({ maxTokens: 300, pieceTokens: 200 });
    expect(sizes({ maxChunkSize: 100 })).toEqual({ maxTokens: 100, pieceTokens: 100 });
    expect(sizes({ pieceSize: 999 })).toEqual({ maxTokens: 500, pieceTokens: 500 });
  });
});
