import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CHUNKER_VERSION, SourceFormats } from '../../../src/app/ingestion/source-formats.js';
import { chunkMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { SOURCE_MAX_CHUNKS } from '../../../src/domain/limits.js';
import { SAVED_TYPES } from '../../../src/domain/project-layout.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';

const sentences = (count: number) =>
  Array.from({ length: count }, (_, i) => `Sentence ${i} has six words. Dr. No`).join(' ');

/** One for each rule of docs/specification.md, "Chunking". */
const TEXTS = [
  '---\ntags: [a, b]\nimportance: 2\n---\n# Title\n\n## One ##\nText.\n\n### Part\nMore.\n\n##\n\n## Two\n',
  '# Title\nBefore.\n\n## One\n```\n## no heading\n\nstill a fence\n```\n\n~~~\nnever closed\n## no heading\n',
  '# Title\n\nA paragraph\nof two lines.\n\n### Heading\nIts paragraph.\n\n---\n\n  \n\nThe last.\n',
  `## Long\n${sentences(120)}\n\nA paragraph.\n\n${'line of a list\n'.repeat(300)}`,
  `## ${'y'.repeat(5000)}\nText.\n\n## ${'heading '.repeat(400)}\n${'字'.repeat(9000)} ${'x'.repeat(9000)}`,
  Array.from({ length: SOURCE_MAX_CHUNKS + 1 }, (_, i) => `Paragraph ${i}.`).join('\n\n'),
  'Old\n---\n- ```sh\n  ## no heading\n  ```\n<!--\n## no heading\n-->\n\n# Part\n> ## no heading\n\n## Last\ntext\n',
  '## One\n</details>\n---\n| a |\n|---|\n---\n{/*\n## no heading\n*/}\n<<<<<<< HEAD\nb\n=======\nc &eacute;\n>>>>>>> d\n',
  '# A title alone\n',
  '',
];

it('a change of how text is cut comes with another version, so that unchanged files are cut again', () => {
  const cuts = TEXTS.flatMap((text) =>
    (['drop', 'prepend'] as const).map((loneTitle) =>
      chunkMarkdownFile(text, {
        parseYaml: () => ({ tags: ['a', 'b'], importance: 2 }),
        maxTokens: 500,
        pieceTokens: 200,
        loneTitle,
      }),
    ),
  );
  const digest = createHash('sha256').update(JSON.stringify(cuts)).digest('hex');
  expect({ digest: digest.slice(0, 16), version: CHUNKER_VERSION }).toEqual({
    digest: '4a982b155356f2ce',
    version: 12,
  });
});

it('what a variant without citations has indexed is indexed again by one that finds them', () => {
  const prefixOf = (mark: string) =>
    new SourceFormats({ citing: { mark } } as never).document(DEFAULT_SETTINGS).hashPrefix;
  expect(prefixOf('cited')).not.toBe(prefixOf(''));
});

describe('with another version', () => {
  const kinds = new SourceFormats({ citing: { mark: '' } } as never);
  const version = new RegExp(`^${CHUNKER_VERSION}:`);

  it('the files of every kind are cut again', () => {
    const files = [
      kinds.agentOutput,
      kinds.document(DEFAULT_SETTINGS),
      kinds.reflection(DEFAULT_SETTINGS),
      ...SAVED_TYPES.map((type) => kinds.saved(DEFAULT_SETTINGS, type)),
    ];
    for (const { hashPrefix } of files) expect(hashPrefix).toMatch(version);
    const other = kinds.document({ ...DEFAULT_SETTINGS, maxChunkSize: 100 });
    expect(other.hashPrefix).not.toBe(files[1]?.hashPrefix);
  });
});
