import { beforeEach, describe, expect, it } from 'vitest';
import { Ingestion } from '../../../src/app/ingestion/ingestion.js';
import { SourceReader } from '../../../src/app/ingestion/source-reader.js';
import type { Project } from '../../../src/app/projects/project.js';
import { SavedFiles } from '../../../src/app/saved/saved-files.js';
import { noEnrichment } from '../../../src/app/wiring/null-objects.js';
import { allWords, readPlain } from '../../../src/domain/query/query.js';
import type { SavedText } from '../../../src/domain/saved/saved-text.js';
import { portsInMemory } from '../../support/ports-in-memory.js';

const NOTE = { sourceType: 'manual', name: 'locks' } as const;
const PATH = '.knowledge/notes/locks.md';

let ports: ReturnType<typeof portsInMemory>;
let project: Project;
let saved: SavedFiles;
let woken: number;

beforeEach(async () => {
  ports = portsInMemory();
  const common = { ...ports };
  const ingestion = new Ingestion({ ...common, reader: new SourceReader(common) });
  const wake = () => {
    woken += 1;
  };
  woken = 0;
  saved = new SavedFiles({ ...common, ingestion, enrichment: { ...noEnrichment, wake } });
  project = { path: '/project', store: await ports.stores.open('/project') };
});

describe('a saved file', () => {
  it('is found by its title and its text as soon as it is created', async () => {
    const text = locks('## Why\nReaders wait.\n\n## How\nUse WAL.\n');
    expect(await saved.create(project, NOTE, text)).toEqual({ sourceFile: PATH, chunks: 2 });
    expect(await found('locks')).toEqual([`${PATH}#0`]);
    expect(await found('wal')).toEqual([`${PATH}#1`]);
    expect(woken).toBe(1);
  });

  it('goes with its chunks', async () => {
    await saved.create(project, NOTE, locks('one\n\ntwo'));
    expect(await saved.delete(project, NOTE)).toBe(2);
    expect(await found('locks')).toEqual([]);
    expect(ports.files.paths).toEqual([]);
    expect(await saved.delete(project, NOTE)).toBeUndefined();
  });

  it('is not left behind if it cannot be indexed', async () => {
    const { chunks } = project.store;
    const broken = { ...project.store, chunks: { ...chunks, replaceSource: fail } };
    const created = saved.create({ ...project, store: broken as never }, NOTE, locks('text'));
    await expect(created).rejects.toThrow('no space');
    expect(ports.files.paths).toEqual([]);
  });

  it('has a name that is listed and exists', async () => {
    expect(await saved.exists(project, NOTE)).toBe(false);
    await saved.create(project, NOTE, locks('text'));
    ports.files.set('.knowledge/urls/page.md', '# Page\n\ntext');
    expect(await saved.exists(project, NOTE)).toBe(true);
    expect(await saved.names(project, 'manual')).toEqual(['locks']);
  });
});

function locks(content: string): SavedText {
  return { metadata: {}, title: 'Locks', content };
}

async function fail(): Promise<never> {
  throw new Error('no space');
}

async function found(text: string): Promise<readonly string[]> {
  const { words } = readPlain(text);
  const expression = allWords(words);
  if (expression === undefined) return [];
  const hits = await project.store.keywords.search(expression, { sourceTypes: 'all' }, 10);
  return hits.map(({ chunk }) => chunk.id);
}
