import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { CitationFinder } from '../../../src/app/citations/citation-finder.js';
import { CHUNKER_VERSION, SourceFormats } from '../../../src/app/ingestion/source-formats.js';
import type { Project } from '../../../src/app/project.js';
import { chunkMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { findMentions } from '../../../src/domain/citations/mentions.js';
import { MENTIONS_MAX, SOURCE_MAX_CHUNKS } from '../../../src/domain/limits.js';
import { SAVED_TYPES } from '../../../src/domain/project-layout.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { document, draft } from '../../support/chunks.js';

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
  expect({ digest: digestOf(cuts), version: CHUNKER_VERSION }).toEqual({
    digest: '4a982b155356f2ce',
    version: 14,
  });
});

/** One chunk for each rule of docs/specification.md, "Citations". */
const CITING_CHUNKS = [
  'Bare src/db/pool.ts, `pool.ts`, [a link](../src/a.ts#L2) and `bin/start`; README.md, package.json.',
  'Lines: pool.ts:2, pool.ts:1-3, pool.ts#L2-L3, pool.ts(3,5), src/a.ts:99, src/a.ts:2:7 and src/a.ts:2-1.',
  'Written as elsewhere: @src/a.ts, src\\db\\pool.ts, ./src/a.ts, [[guide]], [[docs/guide#part|it]], [x](</src/a.ts>).',
  'Whole: `docs/first day.md`, [it](docs/first%20day.md), **`src/a.ts`**, (src/a.ts), _src/a.ts_.',
  '参见（src/a.ts）。修改src/db/pool.ts:2即可, “src/a.ts”; `/project/src/a.ts`, `/elsewhere/src/a.ts`.',
  'None: https://a.io/src/a.ts, me@a.ts, src/*.ts, run(src/a.ts, {}), a.b, request.body, 3.5, and/or, ../../out.ts.',
  '```\nsrc/a.ts\n```\nNeither same.ts, which two files are, nor node_modules/a/b.js, .knowledge/notes/a.md or docs/a.md.',
  Array.from({ length: MENTIONS_MAX + 1 }, (_, i) => `src/a.ts:${i}`).join(' '),
  draft('Entries', { cites: ['src/a.ts:1-2', 'README.md', './src/db/pool.ts', '/src/a.ts', ''] }),
  draft('text', { heading: 'Of `src/a.ts`' }),
];

const CITED_FILES = {
  'src/db/pool.ts': 'one\n{\nthree\n',
  'src/a.ts': 'one\r\ntwo  \n',
  'docs/a.md': 'a',
  'README.md': '',
  'docs/README.md': '',
  'bin/start': '',
  'package.json': '{}',
  'docs/guide.md': '',
  'docs/first day.md': '',
  'one/same.ts': '',
  'two/same.ts': '',
  'node_modules/a/b.js': '',
  '.knowledge/notes/a.md': '',
};

it('a change of how citations are found also comes with another version', async () => {
  const files = new InMemoryProjectFiles(CITED_FILES);
  const finder = new CitationFinder({
    files,
    fileNames: { list: async () => files.paths },
    appDirs: appDirectories('.knowledge'),
  });
  const cite = finder.begin({ path: '/project' } as Project, DEFAULT_SETTINGS);
  const { chunks } = await cite(document('docs/a.md', CITING_CHUNKS));
  const citations = chunks.map((chunk) => chunk.citations ?? []);
  const mentions = chunks.map(({ content }) => findMentions(content));
  const cited = new Set(citations.flat().map(({ path }) => path));
  expect(Object.keys(CITED_FILES).filter((path) => !cited.has(path))).toEqual(NEVER_CITED);
  expect({ digest: digestOf([mentions, citations]), version: CHUNKER_VERSION }).toEqual({
    digest: 'd7c7a3fe67a9d8d5',
    version: 14,
  });
});

const NEVER_CITED = [
  ...['docs/a.md', 'docs/README.md', 'one/same.ts', 'two/same.ts'],
  ...['node_modules/a/b.js', '.knowledge/notes/a.md'],
];

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

it('sources indexed without citations are indexed again by a variant that finds them', () => {
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
