import { beforeEach, describe, expect, it } from 'vitest';
import { Source, type SourceFiles } from '../../../src/app/ingestion/source.js';
import type { SourceFormat } from '../../../src/app/ingestion/source-format.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { draft } from '../../support/chunks.js';

const PATH = 'docs/a.md';
const PROBLEM = 'its text is only half used';

let files: InMemoryProjectFiles;
let readings: SourceFiles['readings'];
let superseding: unknown[];

const formatOf = (rest: Partial<SourceFormat> = {}): SourceFormat => ({
  sourceType: 'manual',
  hashPrefix: 'v1:',
  read: (project, sourceFile) => files.readText(project, sourceFile),
  cut: (text) => ({ chunks: [draft(text, { line: 3 }), draft('no line')], names: { title: 'A' } }),
  problems: () => [PROBLEM],
  supersedes: (...args) => {
    superseding.push(args);
    return 'docs/old.md';
  },
  expires: () => '2026-12-31',
  ...rest,
});

function sourceOf(sourceFile = PATH, { project = '/project', format = formatOf() } = {}): Source {
  return new Source({ project, files, format, readings }, sourceFile);
}

/** Reads files as `readText` does, but says this of each. */
const reading =
  (rest: object): SourceFormat['read'] =>
  async (project, path) => {
    const found = await files.readText(project, path);
    return found && { ...found, ...rest };
  };

beforeEach(() => {
  readings = new Map();
  superseding = [];
  files = new InMemoryProjectFiles({ [PATH]: 'Text.' });
});

describe('a source that is read', () => {
  it('becomes a document with everything that its format finds', async () => {
    const read = await sourceOf().read();
    if (read === undefined || 'skipped' in read) throw new Error('It was not read.');
    const hash = await files.readText('/project', PATH);
    const contentHash = `v1:${(hash as { readonly hash: string }).hash}`;
    expect(read.contentHash).toBe(contentHash);
    expect(read.toDocument()).toEqual({
      sourceType: 'manual',
      sourceFile: PATH,
      contentHash,
      names: { title: 'A' },
      supersedes: 'docs/old.md',
      expires: '2026-12-31',
      chunks: [draft('Text.', { line: 3 }), draft('no line')],
    });
    expect(superseding).toEqual([['Text.', { project: '/project', sourceFile: PATH }]]);
  });

  it('counts lines from where its text begins in the file', async () => {
    const format = formatOf({ read: reading({ firstLine: 11 }) });
    const read = await sourceOf(PATH, { format }).read();
    if (read === undefined || 'skipped' in read) throw new Error('It was not read.');
    const chunks = [draft('Text.', { line: 13 }), draft('no line')];
    expect(read.toDocument().chunks).toEqual(chunks);
    expect(read.toDocument().chunks[1]).not.toHaveProperty('line');
  });

  it('is skipped if no store could index its path', async () => {
    const [longest, longer] = ['é'.repeat(1000), `${'é'.repeat(1000)}a`];
    for (const path of [longest, longer]) files.set(path, 'Text.');
    expect(await sourceOf(longest).read()).toHaveProperty('contentHash');
    const skipped = 'its path is longer than 2000 bytes';
    expect(await sourceOf(longer).read()).toEqual({ skipped });
    expect(await sourceOf(longer).problems()).toEqual([{ sourceFile: longer, reason: skipped }]);
  });
});

describe('a reading', () => {
  it('is known until the file or the format changes', async () => {
    expect(sourceOf().known()).toBeUndefined();
    await sourceOf().read();
    expect(sourceOf().known()).toMatchObject({ contentHash: expect.stringMatching(/^v1:/) });
    const format = formatOf({ hashPrefix: 'v2:' });
    expect(sourceOf(PATH, { format }).known()).toBeUndefined();
    files.set(PATH, 'Other text.');
    expect(sourceOf().known()).toBeUndefined();
  });

  it('is not known if the file was still being written', async () => {
    const format = formatOf({ read: reading({ isSettled: false }) });
    await sourceOf(PATH, { format }).read();
    expect(sourceOf(PATH, { format }).known()).toBeUndefined();
  });

  it('is of one project and file', async () => {
    await sourceOf(PATH, { project: '/project' }).read();
    expect(sourceOf('s/a.md', { project: '/projectdoc' }).known()).toBeUndefined();
    expect([...readings.keys()]).toEqual([`/project\n${PATH}`]);
  });

  it('is forgotten with all others once there are 100,000', async () => {
    const known = { contentHash: 'v1:', version: '1' };
    for (let i = 0; i < 99_999; i += 1) readings.set(`${i}`, known);
    await sourceOf().read();
    expect(readings.size).toBe(100_000);
    await sourceOf().read();
    expect(readings.size).toBe(1);
  });
});

describe('the problems of a source', () => {
  const FOUND = [{ sourceFile: PATH, reason: PROBLEM, isRead: true }];

  it('are its unused parts, which are looked for once', async () => {
    expect(await sourceOf().problems()).toEqual(FOUND);
    const format = formatOf({ problems: () => ['never looked for'] });
    expect(await sourceOf(PATH, { format }).problems()).toEqual(FOUND);
    expect(files.reads).toEqual([PATH]);
  });

  it('are none if there is no such file, or if they were never looked for', async () => {
    expect(await sourceOf('docs/none.md').problems()).toEqual([]);
    expect(sourceOf().listProblems({ contentHash: 'v1:', version: '1' })).toEqual([]);
  });
});

it('a source is readable if there is a file that may be read', async () => {
  expect(await sourceOf().isReadable()).toBe(true);
  expect(await sourceOf('docs/none.md').isReadable()).toBe(false);
  files.statOf = async () => ({ skipped: 'it may not be read' });
  expect(await sourceOf().isReadable()).toBe(false);
});
