import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scattered } from '../../support/chunks.js';
import { withDatabase } from '../../support/database-inspection.js';
import { PLANTED, PlantedVectors, writeVector } from '../../support/planted-vectors.js';

const run = promisify(execFile);
const ALL = { sourceTypes: 'all' } as const;

let planted: PlantedVectors;

beforeEach(async () => {
  planted = new PlantedVectors();
  await planted.plant();
});

afterEach(() => planted.dispose());

/** Python's own sqlite3, which knows nothing of sqlite-vec. */
const FOREIGN_CHANGES = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=15)
db.execute("PRAGMA foreign_keys = ON")
blob, = db.execute("SELECT embedding FROM embeddings WHERE chunk_id = 'f.md#3'").fetchone()
db.execute("DELETE FROM chunks WHERE id = 'f.md#4'")
assert db.execute("SELECT count(*) FROM embeddings WHERE chunk_id = 'f.md#4'").fetchone() == (0,)
db.execute("PRAGMA foreign_keys = OFF")
db.execute("DELETE FROM chunks WHERE id = 'f.md#5'")
db.execute("INSERT OR REPLACE INTO embeddings VALUES ('f.md#6', ?, 'test-model', '')", (blob,))
db.execute("INSERT OR ABORT INTO embeddings SELECT 'f.md#4', embedding, model, '' FROM embeddings LIMIT 1")
db.execute("DELETE FROM embeddings WHERE chunk_id = 'f.md#7'")
db.execute("VACUUM")
assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
`;

describe('a store with vectors', () => {
  it('can be read, changed, vacuumed and checked by programs without sqlite-vec', async () => {
    await run('python3', ['-c', FOREIGN_CHANGES, planted.project.database]);
    const store = await planted.open();
    for (const query of [scattered(3), scattered(4), scattered(7)]) {
      const expected = planted.naiveNearest(query, 20).map(({ chunkId }) => chunkId);
      const nearest = await store.vectors.nearest(query, ALL, 20);
      expect(nearest.map(({ chunkId }) => chunkId)).toEqual(expected);
    }
  });

  it('compares no vector that has a value that is no number', async () => {
    const store = await planted.open();
    const noNumbers = new Float32Array(384).fill(Number.NaN);
    planted.change((db) => writeVector(db, 3, noNumbers));
    expect(await store.vectors.similarities('content', scattered(3), ['f.md#3'])).toEqual(
      new Map(),
    );
    const nearest = await store.vectors.nearest(scattered(3), ALL, PLANTED);
    expect(nearest.map(({ chunkId }) => chunkId)).not.toContain('f.md#3');
  });

  it('finds chunks after many vectors that have lost theirs', async () => {
    const store = await planted.open();
    const lost = planted.naiveNearest(scattered(3), 100).map(({ chunkId }) => chunkId);
    withDatabase(planted.project.database, (db) => {
      db.pragma('foreign_keys = OFF'); // so that the vectors stay
      const remove = 'DELETE FROM chunks WHERE id IN (SELECT value FROM json_each(?))';
      db.prepare(remove).run(JSON.stringify(lost));
    });
    const expected = planted.naiveNearest(scattered(3), 20).map(({ chunkId }) => chunkId);
    const nearest = await store.vectors.nearest(scattered(3), ALL, 20);
    expect(nearest.map(({ chunkId }) => chunkId)).toEqual(expected);
    expect(lost).not.toContain(expected[0]);
  });
});

describe('a store without sqlite-vec', () => {
  const failToLoad = () => {
    throw new Error('Unsupported platform for sqlite-vec');
  };

  it('stores vectors, finds none, and says why once', async () => {
    const store = await planted.open(failToLoad);
    const { vectors } = store;
    expect(await planted.replace(store, 9, { vector: scattered(99) })).toBe(1);
    expect(await vectors.nearest(scattered(99), ALL, 10)).toEqual([]);
    for (const of of [['f.md#9'], 'sample'] as const)
      expect(await vectors.similarities('content', scattered(99), of)).toEqual(new Map());
    expect(await vectors.status('content')).toEqual({
      complete: PLANTED,
      pending: 0,
      problem: expect.stringMatching(/sqlite-vec could not be loaded/),
    });
    expect(planted.logger.messages('warn')).toHaveLength(1);
  });

  it('stores vectors that are found once it can be loaded', async () => {
    await planted.replace(await planted.open(failToLoad), 9, { vector: scattered(99) });
    const other = await planted.open();
    const [nearest] = await other.vectors.nearest(scattered(99), ALL, 1);
    expect(nearest?.chunkId).toBe('f.md#9');
  });
});
