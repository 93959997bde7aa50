import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ContentVectors } from '../../../src/adapters/sqlite/vectors/content-vectors.js';
import { toBlob } from '../../../src/adapters/sqlite/vectors/vector-blob.js';
import { VectorMatrix } from '../../../src/adapters/sqlite/vectors/vector-matrix.js';
import { vector } from '../../support/chunks.js';

const MODEL = 'model';
const AT = new Date(0);
const table = new ContentVectors(MODEL);

let folder: string;
/** Two connections, as the store has them: a commit of the one is news to the other. */
let writer: Database.Database;
let db: Database.Database;
let matrix: VectorMatrix;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'knowledge-matrix-'));
  writer = new Database(join(folder, 'k.db'));
  db = new Database(join(folder, 'k.db'));
  writer.exec(`
    CREATE TABLE chunks (id TEXT PRIMARY KEY);
    CREATE TABLE store_state (name TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE embeddings (chunk_id TEXT PRIMARY KEY REFERENCES chunks(id) ON DELETE CASCADE,
      embedding BLOB, model TEXT, created_at TEXT)`);
  matrix = await VectorMatrix.over(table, 384);
});

afterEach(() => {
  db.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

it('loads page by page, and then has everything', () => {
  for (let i = 0; i < 7; i += 1) save(`c${i}`, i);
  expect(pages(3)).toBe(3);
  expect(found()).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6']);
});

it('has what was stored while it loaded', () => {
  for (let i = 1; i < 7; i += 1) save(`c${i}`, i);
  expect(matrix.advance(db, 3)).toBe(false);
  save('late', 0);
  expect(pages(3)).toBe(2);
  expect(found()[0]).toBe('late');
});

it('starts over where what it had loaded went or changed while it loaded', () => {
  for (let i = 0; i < 7; i += 1) save(`c${i}`, i);
  expect(matrix.advance(db, 3)).toBe(false);
  writer.exec("DELETE FROM chunks WHERE id = 'c0'");
  expect(matrix.advance(db, 3)).toBe(false);
  save('c1', 9);
  expect(pages(3)).toBe(3);
  expect(found()).toEqual(['c2', 'c3', 'c4', 'c5', 'c6', 'c1']);
});

it('comes to an end however often others change what it has loaded', () => {
  for (let i = 0; i < 50; i += 1) save(`c${i}`, i);
  let calls = 0;
  do {
    save('c0', calls);
    calls += 1;
  } while (!matrix.advance(db, 3) && calls < 20);
  expect(calls).toBeLessThan(10);
  expect(found()).toHaveLength(50);
});

it('loads page by page again however often others changed what it had loaded before', () => {
  for (let i = 0; i < 7; i += 1) save(`c${i}`, i);
  for (let time = 0; time < 5; time += 1) {
    save('c0', time);
    expect(pages(3)).toBe(3);
  }
});

it('reads only what is new once it has loaded', () => {
  for (let i = 0; i < 7; i += 1) save(`c${i}`, i);
  pages(3);
  save('late', 0);
  expect(pages(3)).toBe(1);
  expect(found()).toContain('late');
});

/** Stores the vector of a chunk, the farther from `vector(1)` the greater `angle` is. */
function save(id: string, angle: number): void {
  writer.prepare('INSERT INTO chunks VALUES (?) ON CONFLICT DO NOTHING').run(id);
  table.save(writer, { id, blob: toBlob(vector(1, angle / 10)) }, AT);
}

function pages(limit: number): number {
  let count = 1;
  while (!matrix.advance(db, limit)) count += 1;
  return count;
}

function found(): readonly string[] {
  const all = { isAllowed: () => true, limit: 100 };
  return matrix.nearest(db, vector(1), all).map(({ chunkId }) => chunkId);
}
