import { beforeEach, describe, expect, it } from 'vitest';
import { CitationJudge } from '../../../src/app/citations/citation-judge.js';
import type { Project } from '../../../src/app/projects/project.js';
import { citationOf } from '../../../src/domain/citations/citation.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { document, draft } from '../../support/chunks.js';
import { memoryStores } from '../../support/memory-stores.js';

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
    return citationOf(path, file, lines);
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

  it('stay as they are where a file may not be read', async () => {
    files.set('src/other.ts', 'changed');
    await judge.judge(project);
    files.refuse('src/other.ts', 'it is too large');
    expect(await judged()).toEqual(['current', 'changed']);
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
