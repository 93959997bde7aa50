import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Vector } from '../../src/domain/ranking/vector.js';
import type { ProjectStore } from '../../src/ports/project-stores.js';
import type { Neighbour } from '../../src/ports/vector-index.js';
import { document, near, scattered } from '../support/chunks.js';
import { PLANTED, PlantedVectors, textOf, writeVector } from '../support/planted-vectors.js';
import { runs } from '../support/seed.js';

let planted: PlantedVectors;
let store: ProjectStore;
let texts: string[];

afterEach(() => planted.dispose());

describe('SqliteVectorIndex', () => {
  beforeEach(async () => {
    planted = new PlantedVectors();
    await planted.plant((n) =>
      n % 7 === 0 ? nearDuplicate(n) : scattered(n - (n % 11 === 0 ? 1 : 0)),
    );
    store = await planted.open();
    texts = Array.from({ length: PLANTED }, (_, n) => textOf(n));
  });

  it('finds what an exact search finds, with exact cosines, after any changes', async () => {
    let [lookUps, different] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        place,
        limit,
        async (changes, n, most) => {
          for (const apply of changes) await apply();
          for (const query of [scattered(5000 + n), nearDuplicate(7 * n), scattered(n)]) {
            const nearest = await store.vectors.nearest(query, { sourceTypes: 'all' }, most);
            const expected = planted.naiveNearest(query, most);
            const cosines = await store.vectors.similarities(
              'content',
              query,
              expected.map(({ chunkId }) => chunkId),
            );
            for (const { chunkId, cosine } of expected) {
              expect(Math.abs((cosines.get(chunkId) ?? Number.NaN) - cosine)).toBeLessThan(1e-5);
            }
            lookUps += 1;
            different += Number(!areSame(nearest, expected));
          }
        },
      ),
      runs(25),
    );
    expect(different / lookUps).toBeLessThanOrEqual(0.001);
  });
});

const place = fc.nat(PLANTED - 1);
const limit = fc.constantFrom(1, 10, 50, 1000);

/** Something that this service or another program does to the vectors. */
const change = fc.oneof(
  fc.tuple(place, place).map(
    ([n, seed]) =>
      () =>
        planted.replace(store, n, { text: texts[n], vector: scattered(seed) }),
  ),
  fc.tuple(place, place).map(
    ([n, seed]) =>
      () =>
        planted.replace(store, n, { text: texts[n], vector: nearDuplicate(seed) }),
  ),
  fc.tuple(place, place).map(
    ([a, b]) =>
      () =>
        swap(a, b),
  ),
  fc.tuple(place, place).map(([n, seed]) => foreign((db) => writeVector(db, n, scattered(seed)))),
  place.map((n) =>
    foreign((db) => db.prepare('DELETE FROM embeddings WHERE chunk_id = ?').run(`f.md#${n}`)),
  ),
  fc
    .tuple(place, place)
    .map(([from, to]) =>
      foreign((db) =>
        db
          .prepare('UPDATE OR REPLACE embeddings SET chunk_id = ? WHERE chunk_id = ?')
          .run(`f.md#${to}`, `f.md#${from}`),
      ),
    ),
  place.map((n) =>
    foreign((db) =>
      db.prepare("UPDATE embeddings SET model = 'other' WHERE chunk_id = ?").run(`f.md#${n}`),
    ),
  ),
  fc.constant(foreign((db) => db.exec("UPDATE embeddings SET model = 'test-model'"))),
);

function foreign(work: Parameters<PlantedVectors['change']>[0]): () => Promise<unknown> {
  return async () => planted.change(work);
}

/** Two chunks change places, and take their vectors along. */
async function swap(a: number, b: number): Promise<void> {
  [texts[a], texts[b]] = [texts[b] ?? '', texts[a] ?? ''];
  await store.chunks.replaceSources([{ sourceFile: 'f.md', document: document('f.md', texts) }]);
}

function nearDuplicate(n: number): Vector {
  return near(scattered(3), n);
}

/** The same list, but for the order of chunks whose cosines differ by less than the promised precision. */
function areSame(nearest: readonly Neighbour[], expected: readonly Neighbour[]): boolean {
  const exact = new Map(expected.map(({ chunkId, cosine }) => [chunkId, cosine]));
  const last = expected.at(-1)?.cosine ?? 1;
  return (
    new Set(nearest.map(({ chunkId }) => chunkId)).size === expected.length &&
    nearest.every(({ chunkId, cosine }, rank) => {
      const difference = (exact.get(chunkId) ?? last) - (expected[rank]?.cosine ?? Number.NaN);
      return Math.abs(difference) < 1e-6 && Math.abs(cosine - (exact.get(chunkId) ?? last)) < 1e-6;
    })
  );
}
