import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEIGHBOURS } from '../../../src/adapters/sqlite/vectors/neighbour-table.js';
import { sha256 } from '../../support/database-inspection.js';
import { PlantedVectors, scattered } from '../../support/planted-vectors.js';
import { TempProjects } from '../../support/temp-project.js';

const ALL = { sourceTypes: 'all' } as const;
const ROWIDS = `${NEIGHBOURS}_rowids`;

const projects = new TempProjects();
afterAll(() => projects.removeAll());

let planted: PlantedVectors;

beforeEach(async () => {
  planted = new PlantedVectors();
  await planted.plant();
  await planted.close();
});

afterEach(() => planted.dispose());

const HOSTILE: Readonly<Record<string, string>> = {
  'another vec0 table': 'CREATE VIRTUAL TABLE evil USING vec0(a float[4])',
  'an index of neighbours with other columns': `DROP TABLE ${NEIGHBOURS};
    CREATE VIRTUAL TABLE ${NEIGHBOURS} USING vec0(code int8[384], extra text)`,
  'an index of neighbours of another module': `DROP TABLE ${NEIGHBOURS};
    CREATE VIRTUAL TABLE ${NEIGHBOURS} USING fts5(code)`,
  'an ordinary table in place of the index of neighbours': `DROP TABLE ${NEIGHBOURS};
    CREATE TABLE ${NEIGHBOURS} (rowid INTEGER PRIMARY KEY, code BLOB)`,
  'a statement behind the declaration': `PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = sql || '; ATTACH ''/tmp/x'' AS x' WHERE name = '${NEIGHBOURS}'`,
  'a data table with other columns': `DROP TABLE ${ROWIDS};
    CREATE TABLE "${ROWIDS}" (rowid INTEGER PRIMARY KEY, id DEFAULT (hex(zeroblob(100000000))))`,
  'an index on a data table': `CREATE INDEX i ON ${ROWIDS}(id)`,
};

describe('a database with vectors is refused, and not changed, if it has', () => {
  it.each(Object.entries(HOSTILE))('%s', async (_, sql) => {
    changeWithExtension((db) => db.exec(sql));
    const before = sha256(planted.dbPath);
    await expect(planted.open()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(sha256(planted.dbPath)).toBe(before);
  });
});

it('the index of neighbours of a file that came from elsewhere is replaced before it is read', async () => {
  changeWithExtension((db) =>
    db.exec(`UPDATE ${NEIGHBOURS}_vector_chunks00 SET vectors = zeroblob(length(vectors))`),
  );
  const copy = projects.make();
  mkdirSync(dirname(copy.database));
  copyFileSync(planted.dbPath, copy.database);
  const received = new PlantedVectors({ projectPath: copy.path });
  const store = await received.open();
  const nearest = await store.vectors.nearest(scattered(9), ALL, 20);
  expect(nearest.map(({ chunkId }) => chunkId)).toEqual(
    planted.naiveNearest(scattered(9), 20).map(({ chunkId }) => chunkId),
  );
  await received.untilUpToDate(store);
  await received.close();
  expect(emptyPages(received)).toBe(0);
  expect(emptyPages(planted)).toBeGreaterThan(0);
});

it('a data table that another program replaces meanwhile is made again', async () => {
  const store = await planted.open();
  await store.vectors.nearest(scattered(9), ALL, 20);
  planted.change((db) => {
    db.unsafeMode(true);
    db.exec(`DROP TABLE ${ROWIDS}; CREATE TABLE "${ROWIDS}" (x)`);
  });
  await planted.untilUpToDate(store);
  const sql = planted.change((db) =>
    db.prepare('SELECT sql FROM sqlite_master WHERE name = ?').pluck().get(ROWIDS),
  );
  expect(sql).toContain('chunk_offset');
});

function changeWithExtension(work: (db: Database.Database) => void): void {
  planted.change((db) => {
    load(db);
    db.unsafeMode(true);
    work(db);
  });
}

/** Pages of codes that are nothing but zeros. */
function emptyPages(vectors: PlantedVectors): unknown {
  return vectors.change((db) =>
    db
      .prepare(
        `SELECT count(*) FROM ${NEIGHBOURS}_vector_chunks00 WHERE vectors = zeroblob(length(vectors))`,
      )
      .pluck()
      .get(),
  );
}
