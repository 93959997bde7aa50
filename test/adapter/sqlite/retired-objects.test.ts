import type Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyDatabase } from '../../support/database-inspection.js';
import { PlantedVectors, scattered } from '../../support/planted-vectors.js';

/** What version 5 of the schema had for its vectors. */
const INDEX_OF_VERSION_5 = `
  CREATE TABLE store_vector_changes (number INTEGER PRIMARY KEY NOT NULL, row INTEGER NOT NULL);
  CREATE TRIGGER embeddings_bi BEFORE INSERT ON embeddings BEGIN
    INSERT INTO store_vector_changes(row) SELECT rowid FROM embeddings WHERE chunk_id = new.chunk_id;
  END;
  CREATE VIRTUAL TABLE store_neighbours USING vec0(code int8[384] distance_metric=l1, chunk_size=32);
  INSERT INTO store_neighbours (rowid, code) VALUES (1, vec_int8(zeroblob(384)));
  DROP TABLE store_codes;
  PRAGMA user_version = 5`;

let planted: PlantedVectors;

beforeEach(async () => {
  planted = new PlantedVectors();
  await planted.plant();
  await planted.close();
});

afterEach(() => planted.dispose());

describe('the index of vectors of a former release is dropped', () => {
  it.each([
    ['whole', ''],
    ['without a table of its data', 'DROP TABLE store_neighbours_rowids'],
  ])('%s', async (_, damage) => {
    changeWithExtension((db) => db.exec(`${INDEX_OF_VERSION_5}; ${damage}`));
    const store = await planted.open();
    const expected = planted.naiveNearest(scattered(3), 20).map(({ chunkId }) => chunkId);
    const nearest = await store.vectors.nearest(scattered(3), { sourceTypes: 'all' }, 20);
    expect(nearest.map(({ chunkId }) => chunkId)).toEqual(expected);
    await planted.close();
    expect(namesLike('store_neighbours%')).toEqual([]);
    expect(namesLike('embeddings_bi')).toEqual([]);
    verifyDatabase(planted.dbPath);
  });
});

it.each([
  'CREATE VIRTUAL TABLE evil USING vec0(a float[4])',
  'CREATE VIRTUAL TABLE store_neighbours USING rtree(a, b, c)',
])('a database with %s is refused', async (sql) => {
  changeWithExtension((db) => db.exec(sql));
  await expect(planted.open()).rejects.toMatchObject({ code: 'store_unavailable' });
});

it('codes of the wrong size or type, which another program wrote, are made again', async () => {
  planted.change((db) =>
    db.exec(`UPDATE store_codes SET code = zeroblob(100) WHERE row % 50 = 1;
      UPDATE store_codes SET code = printf('%.384c', 'x') WHERE row % 50 = 2`),
  );
  const store = await planted.open();
  const nearest = () => store.vectors.nearest(scattered(3), { sourceTypes: 'all' }, 20);
  const expected = planted.naiveNearest(scattered(3), 20).map(({ chunkId }) => chunkId);
  expect((await nearest()).map(({ chunkId }) => chunkId)).toEqual(expected);
  await planted.untilUpToDate(store);
  const wrong =
    "SELECT count(*) FROM store_codes WHERE typeof(code) <> 'blob' OR length(code) <> 384";
  expect(planted.change((db) => db.prepare(wrong).pluck().get())).toBe(0);
});

function changeWithExtension(work: (db: Database.Database) => void): void {
  planted.change((db) => {
    load(db);
    db.unsafeMode(true);
    work(db);
  });
}

function namesLike(pattern: string): unknown {
  return planted.change((db) =>
    db.prepare('SELECT name FROM sqlite_master WHERE name LIKE ?').pluck().all(pattern),
  );
}
