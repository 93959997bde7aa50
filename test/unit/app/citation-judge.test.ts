import { beforeEach, describe, expect, it } from 'vitest';
import { CitationJudge } from '../../../src/app/citations/citation-judge.js';
import type { Project } from '../../../src/app/project.js';
import { toCitation } from '../../../src/domain/citations/citation.js';
import { LineHashes } from '../../../src/domain/citations/line-hashes.js';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/domain/settings.js';
import type { SearchAnswer } from '../../../src/schemas/explanation.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { document, draft } from '../../support/chunks.js';
import { coreInMemory } from '../../support/core-in-memory.js';
import { memoryStores } from '../../support/sqlite-stores.js';

const POOL = 'one\ntwo\nthree\n';
const LINES = { from: 2, to: 2 };

let files: InMemoryProjectFiles;
let judge: CitationJudge;
let project: Project;

beforeEach(async () => {
  files = new InMemoryProjectFiles({ 'src/pool.ts': POOL, 'src/other.ts': 'other' });
  judge = new CitationJudge({ files });
  project = {
    path: '/project',
    store: await memoryStores({ clock: new FixedClock() }).open('/project'),
  };
  const citing = async (path: string, lines?: typeof LINES) => {
    const file = await files.readText('/project', path);
    if (file === undefined || 'skipped' in file) throw new Error(`There is no ${path}.`);
    return toCitation(path, { hash: file.hash, lines: new LineHashes(file.text) }, lines);
  };
  const citations = [await citing('src/pool.ts', LINES), await citing('src/other.ts')];
  const chunks = [draft('cites both', { citations }), 'cites nothing'];
  await project.store.chunks.replaceSources([
    { sourceFile: 'a.md', document: document('a.md', chunks) },
  ]);
  files.reads.length = 0;
});

describe('the verdicts on citations', () => {
  it('follow the cited files, and are reported as they are stored', async () => {
    expect(await judged()).toEqual(['current', 'current']);
    files.set('src/pool.ts', `zero\n${POOL}`);
    expect(await states()).toEqual(['current', 'current']);
    expect(await judged()).toEqual(['current 3-3', 'current']);
    files.set('src/pool.ts', POOL.replace('two', 'zwei'));
    files.delete('src/other.ts');
    expect(await judged()).toEqual(['changed', 'gone']);
    files.set('src/pool.ts', POOL);
    files.set('src/other.ts', 'other');
    expect(await judged()).toEqual(['current', 'current']);
  });

  it('read each file again only when it has changed', async () => {
    await judge.judge(project);
    expect(files.reads.toSorted()).toEqual(['src/other.ts', 'src/pool.ts']);
    files.reads.length = 0;
    await judge.judge(project);
    expect(files.reads).toEqual([]);
    files.delete('src/other.ts');
    await judge.judge(project);
    files.reads.length = 0;
    await judge.judge(project);
    expect(files.reads).toEqual([]);
  });

  it('stay as they are if a file may not be read, which is tried again', async () => {
    files.set('src/other.ts', 'changed');
    await judge.judge(project);
    files.refuse('src/other.ts', 'it is too large');
    expect(await judged()).toEqual(['current', 'changed']);
    files.reads.length = 0;
    await judge.judge(project);
    expect(files.reads).toEqual(['src/other.ts']);
  });

  it('say that a file is gone if a folder is in its place', async () => {
    files.refuse('src/other.ts', 'it is not a regular file', 'no file');
    expect(await judged()).toEqual(['current', 'gone']);
  });

  it('are judged again from a file that was read while it changed', async () => {
    files.isSettled = false;
    await judge.judge(project);
    files.reads.length = 0;
    await judge.judge(project);
    expect(files.reads.toSorted()).toEqual(['src/other.ts', 'src/pool.ts']);
  });

  it('are written only when they differ', async () => {
    const { citations } = project.store;
    const written: number[] = [];
    const store = {
      ...project.store,
      citations: {
        find: citations.find.bind(citations),
        citedPaths: citations.citedPaths.bind(citations),
        judge: async (outdated: Parameters<typeof citations.judge>[0]) => {
          written.push(outdated.length);
          await citations.judge(outdated);
        },
      },
    };
    await judge.judge({ ...project, store });
    expect(written).toEqual([]);
    files.delete('src/other.ts');
    await judge.judge({ ...project, store });
    expect(written).toEqual([1]);
  });
});

describe('the citations of a chunk', () => {
  const settings: { -readonly [Name in keyof Settings]: Settings[Name] } = { ...DEFAULT_SETTINGS };
  let world: ReturnType<typeof coreInMemory>;

  beforeEach(() => {
    settings.staleChunks = 'show';
    world = coreInMemory({ settings: { read: async () => ({ ...settings }) } }, { cites: 'files' });
    for (const path of ['src/pool.ts', 'src/other.ts', 'src/twice.ts', 'lib/twice.ts', 'src/no.ts'])
      world.ports.files.set(path, POOL);
    world.ports.files.set('node_modules/x/index.js', POOL);
    world.ports.files.refuse('src/no.ts', 'it is too large');
  });

  const found = async (query: string) => {
    await world.core.store.readAllSources('/project');
    return world.core.store.find('/project', query);
  };

  it.each([
    ['`src/pool.ts:2-3`', ['src/pool.ts 2-3']],
    ['`src/pool.ts:2` and `src/pool.ts`, src/pool.ts again', ['src/pool.ts 2-2', 'src/pool.ts']],
    ['lines that are not there: `src/pool.ts:90`', ['src/pool.ts']],
    ['the only `other.ts`', ['src/other.ts']],
    ['one of two: `twice.ts`', []],
    ['none: `src/gone.ts`, `gone.ts`', []],
    ['not read: `src/no.ts`, `no.ts`', []],
    ['dependencies: `node_modules/x/index.js`', []],
  ])('%s', async (text, cited) => {
    world.ports.files.set('docs/a.md', `## Ibex\n${text}\n\n## Other\nokapi \`src/pool.ts\``);
    world.ports.files.set('.knowledge/urls/a.md', `ibex ${text}`);
    const { results } = await found('ibex');
    const citations = results.map(({ chunk, citations = [] }) => [
      chunk.sourceFile,
      citations.map(({ path, lines }) => (lines ? `${path} ${lines}` : path)),
    ]);
    expect(Object.fromEntries(citations)).toEqual({
      'docs/a.md': cited,
      '.knowledge/urls/a.md': [],
    });
  });

  it.each([
    ['show', ['a.md', 'b.md'], []],
    ['last', ['b.md', 'a.md'], []],
    ['hide', ['b.md'], ['no_match']],
  ] as const)(
    'and no longer holds, moves its chunk as the setting says: %s',
    async (how, order, notes) => {
      settings.staleChunks = how;
      const names = ({ results }: SearchAnswer) => results.map(({ chunk }) => chunk.sourceFile);
      world.ports.files.set('a.md', '## Wal\nibex ibex ibex `src/pool.ts:2`');
      world.ports.files.set('b.md', 'ibex, and much more of other things `src/other.ts`');
      expect(names(await found('ibex'))).toEqual(['a.md', 'b.md']);
      world.ports.files.set('src/pool.ts', POOL.replace('two', 'zwei'));
      expect(names(await found('ibex'))).toEqual(order);
      const since = world.ports.clock.now().toISOString();
      const citations = [{ path: 'src/pool.ts', lines: '2-2', state: 'changed', since }];
      expect(await world.core.citations.staleChunks('/project')).toEqual([
        { id: 'a.md#0', sourceFile: 'a.md', heading: 'Wal', citations },
      ]);
      expect(await world.useCases.status.overview({ projectPath: '/project' })).toMatchObject({
        stale: 1,
      });
      world.ports.files.delete('b.md');
      const { explanation } = await found('ibex');
      expect(explanation.notes.map(({ code }) => code)).toEqual(notes);
    },
  );

  it.each([
    ['.knowledge/notes/a.md', 0],
    ['docs/a.md', 1],
  ])('is judged from now on with all of a note that is written again: %s', async (file, stale) => {
    world.ports.files.set(file, '## A\nibex `src/pool.ts:2`\n\n## B\nOld.');
    await found('ibex');
    world.ports.files.set('src/pool.ts', POOL.replace('two', 'zwei'));
    await found('ibex');
    expect(await world.core.citations.staleChunks('/project')).toHaveLength(1);
    world.ports.files.set(file, '## A\nibex `src/pool.ts:2`\n\n## B\nNew.');
    await found('ibex');
    expect(await world.core.citations.staleChunks('/project')).toHaveLength(stale);
  });

  it('is nothing in a project without a store, and none is made', async () => {
    expect(await world.core.citations.staleChunks('/project')).toEqual([]);
    expect(await world.ports.stores.find('/project')).toBeUndefined();
  });
});

async function judged(): Promise<readonly string[]> {
  await judge.judge(project);
  return states();
}

async function states(): Promise<readonly string[]> {
  const reports = await judge.reports(project, ['a.md#0', 'a.md#1']);
  expect([...reports.keys()]).toEqual(['a.md#0']);
  const { citations = [], stale = false } = reports.get('a.md#0') ?? {};
  expect(stale).toBe(citations.some(({ state }) => state !== 'current'));
  return citations.map(({ state, movedTo }) => (movedTo ? `${state} ${movedTo}` : state));
}
