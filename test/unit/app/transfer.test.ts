import { beforeEach, describe, expect, it } from 'vitest';
import type { InMemoryExportFiles } from '../../fakes/in-memory-export-files.js';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';
import { EXPORT_FILE, emptyCore, exportedCore, MODEL } from '../../support/filled-core.js';

const P = '/project';

let exports: InMemoryExportFiles;
let world: CoreInMemory;
let lines: string[];

beforeEach(async () => {
  ({ exports, world, lines } = await exportedCore());
});

describe('an export', () => {
  it('has a header, sources, chunks with vectors and questions, and an end', () => {
    const parsed = lines.map((line) => JSON.parse(line));
    expect(parsed.map(({ kind }) => kind)).toEqual([
      'knowledge-store-export',
      'source',
      'source',
      'chunk',
      'chunk',
      'chunk',
      'end',
    ]);
    expect(parsed[0]).toMatchObject({ model: MODEL, createdAt: expect.any(String) });
    expect(parsed[1]).toHaveProperty('contentHash');
    expect(parsed[1]).not.toHaveProperty('chunkCount');
    expect(parsed.filter((line) => 'vector' in line)).toHaveLength(2);
    expect(parsed.filter((line) => 'questionVector' in line)).toHaveLength(1);
    expect(parsed.at(-1)).toMatchObject({ sources: 2, chunks: 3 });
  });

  it('reports what it wrote, and takes no name twice', async () => {
    world.ports.files.set('.knowledge/knowledge.db.export-more.jsonl', '12345');
    expect(await world.core.recovery.exportStore(P, 'more')).toEqual({
      name: 'more',
      file: '.knowledge/knowledge.db.export-more.jsonl',
      bytes: 5,
      sources: 2,
      chunks: 3,
      vectors: 3,
    });
    await expect(world.core.recovery.exportStore(P, 'more')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('export of this name'),
    });
  });

  it('is named after the time, and has no size where its file has gone', async () => {
    const { name, bytes } = await world.core.recovery.exportStore(P);
    expect([name, bytes]).toEqual([expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/), 0]);
  });

  it('of nothing is refused', async () => {
    const { core } = coreInMemory();
    await expect(core.recovery.exportStore(P, 'all')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('no knowledge store'),
    });
  });
});

describe('an import', () => {
  it('gives the same answers, and asks for what is missing', async () => {
    const other = emptyCore(exports);
    await other.core.store.initialize(P);
    const before = other.woken();
    expect(await other.core.recovery.importStore(P, 'all')).toEqual({
      sources: 2,
      added: 3,
      merged: 0,
      different: 0,
      vectors: 3,
    });
    expect(other.woken()).toBe(before + 1);
    expect(await idsFound(other, 'ibex')).toEqual(['docs/a.md#0']);
    expect(await other.core.store.getEmbeddingStatus(P)).toEqual({ complete: 2, pending: 1 });
    expect(await other.core.store.getHypeStatus(P)).toMatchObject({ complete: 1 });
    expect(await contentHashes(other)).toEqual(await contentHashes(world));
  });

  it('is idempotent', async () => {
    const other = emptyCore(exports);
    await other.core.recovery.importStore(P, 'all');
    expect(await other.core.recovery.importStore(P, 'all')).toMatchObject({
      added: 0,
      merged: 3,
      vectors: 0,
    });
  });

  it('leaves vectors of another model out, and says so', async () => {
    const other = emptyCore(exports, 'another/model');
    expect(await other.core.recovery.importStore(P, 'all')).toMatchObject({
      added: 3,
      vectors: 0,
      otherModel: MODEL,
    });
    expect(await other.core.store.getEmbeddingStatus(P)).toEqual({ complete: 0, pending: 3 });
  });

  it('keeps what is there and differs', async () => {
    const other = emptyCore(exports);
    other.ports.files.set('docs/a.md', 'quite another text');
    await other.core.store.readAllSources(P);
    expect(await other.core.recovery.importStore(P, 'all')).toMatchObject({
      added: 1,
      different: 2,
    });
  });

  it('skips empty lines', async () => {
    spoil((all) => all.flatMap((line) => [line, '']));
    expect(await emptyCore(exports).core.recovery.importStore(P, 'all')).toMatchObject({
      added: 3,
    });
  });

  it.each<readonly [string, string, (all: readonly string[]) => readonly string[]]>([
    ['has no end', 'has no end', (all) => all.slice(0, -1)],
    ['lacks a chunk', 'lacks some', (all) => all.filter((_, index) => index !== 4)],
    ['lacks a source', 'lacks some', (all) => all.filter((_, index) => index !== 1)],
    ['goes on', 'goes on after its end', (all) => [...all, all[3] ?? '']],
    ['has no header', 'not an export', (all) => all.slice(1)],
    ['is empty', 'not an export', () => []],
    ['is no JSON', 'Line 2', (all) => [all[0] ?? '', '{']],
  ])('of a file that %s is refused', async (_, message, change) => {
    spoil(change);
    const other = emptyCore(exports);
    await expect(other.core.recovery.importStore(P, 'all')).rejects.toMatchObject({
      code: 'not_readable',
      message: expect.stringContaining(message),
    });
    expect(await contentHashes(other)).toEqual([]);
  });

  it('of more chunks than one page holds is complete, and written in pages', async () => {
    for (let i = 0; i < 130; i += 1) world.ports.files.set(`docs/many/${i}.md`, `text ${i}`);
    await world.core.store.readAllSources(P);
    expect(await world.core.recovery.exportStore(P, 'many')).toMatchObject({ chunks: 133 });
    expect(await pagesOfImport('many')).toEqual([100, 33]);
  });

  it('of long chunks is written in smaller pages', async () => {
    spoil((all) =>
      all.map((line, index) =>
        index === 3 ? line.replace('"content":"', `"content":"${'word '.repeat(900_000)}`) : line,
      ),
    );
    expect(await pagesOfImport('all')).toEqual([1, 2]);
  });
});

async function pagesOfImport(name: string): Promise<readonly number[]> {
  const other = emptyCore(exports);
  const { records } = (await other.core.projects.open(P)).store;
  const { add } = records;
  const pages: number[] = [];
  records.add = (page) => {
    pages.push(page.length);
    return add.call(records, page);
  };
  const { added } = await other.core.recovery.importStore(P, name);
  expect(added).toBe(pages.reduce((sum, page) => sum + page));
  return pages;
}

async function contentHashes({ core }: CoreInMemory): Promise<readonly unknown[]> {
  const { store } = await core.projects.open(P);
  return (await store.chunks.indexedSources()).toSorted((a, b) =>
    a.sourceFile.localeCompare(b.sourceFile),
  );
}

function spoil(change: (all: readonly string[]) => readonly string[]): void {
  exports.files.set(EXPORT_FILE, change(lines));
}
