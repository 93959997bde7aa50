import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenProject } from '../../../src/app/projects/open-project.js';
import {
  findCandidates,
  findSame,
  findSimilar,
  type SoughtText,
} from '../../../src/app/saved/existing-text.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const LOCKS: SoughtText = { title: 'Locks', content: 'Writers wait.', except: [] };
const NOTE = '.knowledge/notes/locks.md';

let world: CoreInMemory;
let files: CoreInMemory['ports']['files'];
let project: OpenProject;

beforeEach(async () => {
  world = coreInMemory();
  files = world.ports.files;
  project = await world.core.projects.open('/project');
});

async function index(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) files.set(path, text);
  await world.core.ingestion.ingest(project);
}

const find = (text: SoughtText) => findCandidates(world.ports, project, text);
const filesOf = (found: Awaited<ReturnType<typeof find>>) => [
  ...new Set(found.wordings.map(({ chunk }) => chunk.sourceFile)),
];

describe('the candidates for a text', () => {
  it('are the chunks that share words with it', async () => {
    await index({ 'docs/a.md': 'Writers.', 'docs/b.md': 'Pages.', [NOTE]: '# Locks\n\nText.\n' });
    const found = await find(LOCKS);
    expect(filesOf(found).toSorted()).toEqual([NOTE, 'docs/a.md']);
    expect(found.bodies.map(({ chunk, body }) => [chunk.sourceFile, body])).toEqual([
      [NOTE, '# Locks\n\nText.\n'],
    ]);
  });

  it('are none for a text without words', async () => {
    await index({ 'docs/a.md': 'Writers.' });
    const none = { wordings: [], bodies: [] };
    expect(await find({ title: '?', content: '!', except: [] })).toEqual(none);
  });

  it('share one of the first twenty words', async () => {
    await index({ 'docs/a.md': 'Okapi.', 'docs/b.md': 'Numbat.' });
    const words = Array.from({ length: 18 }, (_, i) => `word${i}`).join(' ');
    const content = `${words} okapi numbat`;
    expect(filesOf(await find({ ...LOCKS, content }))).toEqual(['docs/a.md']);
  });

  it('are not of an excluded file, or of one that is gone', async () => {
    const PATHS = ['docs/a.md', 'docs/b.md', 'docs/c.md'];
    await index(Object.fromEntries(PATHS.map((path) => [path, `Writers of ${path}.`])));
    files.delete('docs/b.md');
    expect(filesOf(await find({ ...LOCKS, except: ['docs/a.md'] }))).toEqual(['docs/c.md']);
  });

  it('have no body if their file is deleted while it is read', async () => {
    await index({ [NOTE]: '# Locks\n\nWriters.\n' });
    files.onRead = (path) => files.delete(path);
    expect((await find(LOCKS)).bodies).toEqual([]);
  });
});

describe('a chunk says the same as a text', () => {
  it.each([
    ['with the title as its heading', '## Locks\n\nWriters\nwait.\n', 'docs/a.md#0'],
    ['without a heading', 'Locks\nWriters wait.\n', 'docs/a.md#0'],
    ['not with another heading', '## Latches\n\nWriters wait.\n', undefined],
    ['not with more text', '## Locks\n\nWriters wait. Readers never.\n', undefined],
  ])('%s', async (_, text, id) => {
    await index({ 'docs/a.md': text });
    expect(findSame(LOCKS, await find(LOCKS))?.id).toBe(id);
  });
});

it('a note with the same title is similar, whatever its text says, and one with another title is not', async () => {
  await index({
    [NOTE]: '# Locks\n\nReaders never do.\n',
    '.knowledge/notes/other.md': '# Latches\n\nWriters and many other words.\n',
  });
  const similar = findSimilar(LOCKS, await find(LOCKS)).filter(({ relevance }) => relevance >= 0.7);
  expect(similar.map(({ chunk, relevance }) => [chunk.sourceFile, relevance])).toEqual([
    [NOTE, 0.7],
  ]);
});
