import { beforeEach, describe, expect, it } from 'vitest';
import type { InMemoryExportFiles } from '../../fakes/in-memory-export-files.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';
import { emptyCore, exportedCore, MODEL } from '../../support/filled-core.js';

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

  it('of more chunks than one page holds is complete', async () => {
    for (let i = 0; i < 130; i += 1) world.ports.files.set(`docs/many/${i}.md`, `text ${i}`);
    await world.core.store.readAllSources(P);
    expect(await world.core.recovery.exportStore(P, 'many')).toMatchObject({ chunks: 133 });
    const other = emptyCore(exports);
    const report = await other.core.recovery.importStore(P, 'many');
    expect(report).toMatchObject({ added: 133, sources: 132 });
  });
});
