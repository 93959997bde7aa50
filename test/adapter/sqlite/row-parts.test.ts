import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  });
  store = await planted.open();
});
afterAll(() => planted.dispose());

it('finds the same in the vectors of a large project, part by part, with turns of the event loop between them', async () => {
  const before = await foundIn(store);
  planted.change((db) => {
    db.exec(
      `UPDATE embeddings SET rowid = -rowid * ${APART}; UPDATE embeddings SET rowid = -rowid`,
    );
    db.exec(`UPDATE chunks SET rowid = -rowid * ${APART}; UPDATE chunks SET rowid = -rowid`);
  });
  expect(await foundIn(store)).toEqual(before);
  expect(before.status).toMatchObject({ complete: 134, pending: 66 });
  expect(before.pending.content).toHaveLength(20);
  for (const read of [
    () => store.vectors.status('content'),
    () => store.vectors.pending('content', 5),
    () => store.vectors.nearest(scattered(3), FILTERS[0], 5),
  ]) {
    expect(await turnsDuring(read())).toBeGreaterThan(5);
  }
});

async function foundIn({ vectors }: ProjectStore) {
  return {
    status: await vectors.status('content'),
    questions: await vectors.status('questions'),
    pending: {
      content: await vectors.pending('content', 20),
      questionTexts: await vectors.pending('questionTexts', 20),
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
