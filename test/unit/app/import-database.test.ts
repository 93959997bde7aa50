import { expect, it } from 'vitest';
import type { ImportBatch } from '../../../src/ports/chunk-import.js';
import { coreInMemory, idsFound } from '../../support/core-in-memory.js';

const P = '/project';
const DATES = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

const chunk = (id: string, content: string) => ({
  chunk: {
    id,
    sourceType: 'file' as const,
    sourceFile: id.slice(0, id.indexOf('#')),
    chunkIndex: 0,
    content,
    importance: 0.5,
    ...DATES,
  },
  retrievalCount: 3,
});

function worldWith(batches: readonly ImportBatch[]) {
  const paths: string[] = [];
  const databases = {
    async *read(path: string) {
      paths.push(path);
      yield* batches;
    },
  };
  return { ...coreInMemory({ databases }), paths };
}

const BATCHES = [
  { chunks: [chunk('a.md#0', 'the ibex')], sources: [], leftOut: [] },
  { chunks: [chunk('b.md#0', 'the okapi')], sources: [], leftOut: ['a trigger "evil"'] },
];

it('adds the contents of another database, batch by batch, and wakes the background work', async () => {
  const world = worldWith(BATCHES);
  await world.core.store.initialize(P);
  const before = world.woken();
  const counts = await world.core.recovery.importDatabase(P, '/elsewhere/knowledge.db');
  expect(counts).toEqual({ chunks: 2, vectors: 0, questions: 0, skipped: 0 });
  expect(world.paths).toEqual(['/elsewhere/knowledge.db']);
  expect(await idsFound(world, 'ibex OR okapi')).toEqual(['a.md#0', 'b.md#0']);
  expect(world.woken()).toBe(before + 1);
});

it('logs what was left out', async () => {
  const world = worldWith(BATCHES);
  await world.core.recovery.importDatabase(P, '/elsewhere/knowledge.db');
  const said = world.ports.logger.entries.filter(({ level }) => level === 'warn');
  const fields = { project: P, file: '/elsewhere/knowledge.db', leftOut: ['a trigger "evil"'] };
  expect(said).toEqual([{ level: 'warn', message: 'Part of the database was left out.', fields }]);
});

it('leaves a source whose file differs to the ingestion', async () => {
  const world = worldWith(BATCHES);
  world.ports.files.set('a.md', 'the walrus');
  await world.core.recovery.importDatabase(P, '/elsewhere/knowledge.db');
  await world.core.store.reindex(P);
  expect(await idsFound(world, 'ibex')).toEqual([]);
  expect(await idsFound(world, 'walrus')).toEqual(['a.md#0']);
  expect(await idsFound(world, 'okapi')).toEqual(['b.md#0']);
});

it.each(['', '\0', 7])('refuses %j as a path', async (path) => {
  const { core } = worldWith([]);
  await expect(core.recovery.importDatabase(P, path as string)).rejects.toMatchObject({
    code: 'invalid_request',
  });
});
