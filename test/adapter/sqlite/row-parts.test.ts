import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryConnection } from '../../../src/adapters/sqlite/database/connection.js';
import { openDatabase } from '../../../src/adapters/sqlite/database/driver.js';
import { inRowParts, type RowPart } from '../../../src/adapters/sqlite/database/row-parts.js';
import { SqliteDatabase } from '../../../src/adapters/sqlite/database/sqlite-database.js';
import type { ProjectStore } from '../../../src/ports/project-stores.js';
import { scattered } from '../../support/chunks.js';
import { PlantedVectors } from '../../support/planted-vectors.js';

/** Rows so far apart that a few chunks are as many parts as hundreds of thousands. */
const APART = 1000;
const FILTERS = [
  { sourceTypes: 'all' },
  { sourceTypes: ['file'] },
  { sourceTypes: ['manual'] },
] as const;

const planted = new PlantedVectors();
let store: ProjectStore;
beforeAll(async () => {
  await planted.plant();
  planted.change((db) => {
    db.exec('DELETE FROM embeddings WHERE rowid % 3 = 0');
    db.exec(
      "UPDATE chunks SET last_retrieved_at = '2026-01-' || (10 + rowid % 20) WHERE rowid % 2 = 0",
    );
    const source = db.prepare("INSERT INTO store_sources VALUES (?, 'file', '', 0, NULL, NULL)");
    const names = db.prepare(
      "INSERT INTO store_names (source_file, words, header) VALUES (?, '', 'h')",
    );
    for (let n = 0; n < 50; n += 1) {
      source.run(`${n}.md`);
      names.run(`${n}.md`);
    }
  });
  store = await planted.open();
});
afterAll(() => planted.dispose());

it('finds the same in a large project, part by part, with turns of the event loop between them', async () => {
  const before = await foundIn(store);
  planted.change((db) => {
    db.exec(
      `UPDATE embeddings SET rowid = -rowid * ${APART}; UPDATE embeddings SET rowid = -rowid`,
    );
    db.exec(`UPDATE chunks SET rowid = -rowid * ${APART}; UPDATE chunks SET rowid = -rowid`);
    db.exec(`UPDATE store_sources SET rowid = rowid * ${APART} * 7`);
    db.exec(`UPDATE store_names SET id = id * ${APART} * 7`);
  });
  expect(await foundIn(store)).toEqual(before);
  expect(before.status).toMatchObject({ complete: 134, pending: 66 });
  expect(before.pending.content).toHaveLength(20);
  for (const read of [
    () => store.vectors.status('content'),
    () => store.vectors.pending('content', 5),
    () => store.vectors.pending('headers', 5),
    () => store.chunks.indexedSources(),
    () => store.vectors.nearest(scattered(3), FILTERS[0], 5),
  ]) {
    expect(await turnsDuring(read())).toBeGreaterThan(5);
  }
});

it('reads fewer rows at a time if that takes long, and every row once', async () => {
  const { database, read } = slowTable(10_000);
  const rows = (await inRowParts(database, 'chunks', read)).flat();
  expect(rows).toEqual(Array.from({ length: 10_000 }, (_, n) => n + 1));
  expect(read.counts.slice(0, 2)).toEqual([2_000, 500]);
});

/** A table of which 2,000 rows take 200 ms. */
function slowTable(last: number) {
  const counts: number[] = [];
  const read = (_: unknown, { parameters }: RowPart) => {
    const { after = 0, last: to = last } = parameters;
    const end = performance.now() + (to - after) / 10;
    while (performance.now() < end);
    counts.push(to - after);
    return Array.from({ length: Math.min(to, last) - after }, (_, n) => after + n + 1);
  };
  const db = openDatabase(':memory:');
  db.exec('CREATE TABLE chunks (a)');
  db.prepare('INSERT INTO chunks (rowid) VALUES (?)').run(last);
  const options = {
    connect: async () => memoryConnection(db),
    onDamage: () => undefined,
    stopWaiting: new AbortController().signal,
  };
  return { database: new SqliteDatabase(options), read: Object.assign(read, { counts }) };
}

async function foundIn({ vectors, chunks }: ProjectStore) {
  return {
    sources: await chunks.indexedSources(),
    status: await vectors.status('content'),
    questions: await vectors.status('questions'),
    pending: {
      content: await vectors.pending('content', 20),
      questionTexts: await vectors.pending('questionTexts', 20),
      headers: await vectors.pending('headers', 20),
    },
    nearest: await Promise.all(FILTERS.map((filter) => vectors.nearest(scattered(7), filter, 30))),
    ofChunk: await vectors.nearest('f.md#1', FILTERS[0], 30),
  };
}

async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns += 1) await turn();
  await ended;
  return turns;
}
