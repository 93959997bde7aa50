import { existsSync, mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chunksIn,
  execute,
  insertChunk,
  rowsOf,
  SPECIFIED_SCHEMA,
  scalarOf,
  verifyDatabase,
} from '../support/database-inspection.js';
import { okBody, startClient } from '../support/running-service-calls.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();
const client = await startClient('hybrid');
afterAll(() => client.service.stop());

/** A project whose database another program made, by these statements. */
function madeByHand(sql: string, files: Readonly<Record<string, string>> = {}): TempProject {
  const project = projects.make(files);
  mkdirSync(project.at('.knowledge'), { recursive: true });
  execute(project.database, sql);
  return project;
}

test('a database is made by the first search or statistics, and by nothing else that reads', async () => {
  const project = projects.make({ '.knowledge/notes/a.md': 'copper' });
  const { embeddings, hype, model } = okBody(await client.status(project));
  expect([embeddings, hype]).toEqual(Array(2).fill({ complete: 0, pending: 0 }));
  expect(model.state).not.toBe('loading');
  project.write('.knowledge/memory/db.md', 'copper');
  const long = { category: 'db', threshold: 1, dryRun: true };
  expect(okBody(await client.post('/x/compact', project, long)).tokensBefore).toBe(1.3);
  const pruned = okBody(await client.post('/x/prune', project, { dryRun: true }));
  expect(pruned).toEqual({ deleted: 0, chunks: [] });
  expect(existsSync(project.database)).toBe(false);
  expect(okBody(await client.stats(project))).toMatchObject({ totalChunks: 0 });
  expect(existsSync(project.database)).toBe(true);
  const searched = projects.make();
  okBody(await client.open(searched));
  expect(existsSync(searched.database)).toBe(true);
});

describe('a new database', () => {
  let path = '';
  beforeAll(async () => {
    const project = projects.make();
    okBody(await client.open(project));
    path = project.database;
  });

  test('has exactly the specified columns, with their types and defaults', () => {
    const specified = madeByHand(SPECIFIED_SCHEMA);
    for (const table of ['chunks', 'embeddings']) {
      const columns = `SELECT name, type, max("notnull", pk), dflt_value, pk FROM pragma_table_info('${table}')`;
      expect(rowsOf(path, columns)).toEqual(rowsOf(specified.database, columns));
    }
  });

  test('has the full-text index and the three triggers, which keep it in sync', () => {
    const fts = scalarOf(path, "SELECT sql FROM sqlite_master WHERE name = 'chunks_fts'");
    expect(String(fts).replace(/\s+/g, ' ')).toMatch(
      /^CREATE VIRTUAL TABLE chunks_fts USING fts5\(\s*heading, content,.*content='chunks'.*content_rowid='rowid'/,
    );
    const triggers = rowsOf<{ name: string }>(
      path,
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%chunks_fts%' ORDER BY name",
    );
    expect(triggers.map(({ name }) => name)).toEqual(['chunks_ad', 'chunks_ai', 'chunks_au']);
    insertChunk(path, { id: 'x', content: 'one tapir', heading: 'Head' });
    verifyDatabase(path);
    execute(path, "UPDATE chunks SET heading = 'Other', content = 'two' WHERE id = 'x'");
    verifyDatabase(path);
    execute(path, "DELETE FROM chunks WHERE id = 'x'");
    verifyDatabase(path);
  });

  test('uses write-ahead logging, and a deleted chunk takes its embedding with it', () => {
    expect(scalarOf(path, 'PRAGMA journal_mode')).toBe('wal');
    insertChunk(path, { id: 'x', content: 'one tapir' });
    execute(
      path,
      "PRAGMA foreign_keys = ON; INSERT INTO embeddings VALUES ('x', x'00', 'm', 'now'); DELETE FROM chunks",
    );
    expect(rowsOf(path, 'SELECT * FROM embeddings')).toEqual([]);
  });
});

test('one made by hand opens, is searched and loses no row', async () => {
  const project = madeByHand(SPECIFIED_SCHEMA, { 'a.md': 'own caching' });
  for (let i = 0; i < 30; i += 1) {
    insertChunk(project.database, {
      id: `foreign-${i}`,
      source_file: `notes/${i}`,
      content: `cached value ${i}`,
      tags: '["t"]',
      retrieval_count: i,
      created_at: '2025-12-31 23:59:59',
    });
  }
  const rows = () =>
    chunksIn(project.database, "id LIKE 'foreign%'").map(
      ({ id, source_file, content, tags, importance, updated_at }) => ({
        id,
        source_file,
        content,
        tags,
        importance,
        updated_at,
      }),
    );
  const before = rows();
  expect(okBody(await client.stats(project)).totalChunks).toBe(30);
  // Found by another form of its word, so the index was built again with our tokenizer.
  expect(await client.results(project, 'caches', { maxResults: 30 })).toHaveLength(30);
  okBody(await client.rebuild(project));
  expect(rows()).toEqual(before);
  verifyDatabase(project.database);
});

test('an importance that is no number of another program counts as none', async () => {
  const project = madeByHand(SPECIFIED_SCHEMA);
  const infinite = { content: 'a tapir', importance: Number.POSITIVE_INFINITY };
  insertChunk(project.database, { id: 'adopted', ...infinite });
  expect(await client.ids(project, 'tapir')).toEqual(['adopted']);
  insertChunk(project.database, { id: 'added', ...infinite });
  const results = await client.results(project, 'tapir');
  expect(results.map(({ chunk }) => chunk.importance)).toEqual([0.5, 0.5]);
  const { chunks } = okBody(await client.get('/x/chunks', project));
  expect(chunks.map((chunk: { importance: number }) => chunk.importance)).toEqual([0.5, 0.5]);
});

test('one of the search-only columns alone gets the columns of the hybrid variant', async () => {
  const narrow = SPECIFIED_SCHEMA.replace(
    ',\n    hype_queries TEXT, hype_embeddings BLOB',
    '',
  ).replace(/CREATE TABLE embeddings[\s\S]*?\);/, '');
  expect(narrow).not.toMatch(/hype|embeddings/);
  const project = madeByHand(narrow);
  execute(
    project.database,
    "INSERT INTO chunks VALUES ('x','manual','f','/p',0,NULL,'a tapir',NULL,0.5,'2026-01-01','2026-01-01',NULL,3)",
  );
  expect(await client.ids(project, 'tapir')).toEqual(['x']);
  expect(chunksIn(project.database)[0]).toMatchObject({ retrieval_count: 4, hype_queries: null });
});

test('an empty file, and a database without tables, become a store', async () => {
  const empty = projects.make({ '.knowledge/knowledge.db': '', 'a.md': 'tapir' });
  const bare = madeByHand('PRAGMA user_version = 0; VACUUM', { 'a.md': 'tapir' });
  for (const project of [empty, bare]) {
    okBody(await client.rebuild(project));
    expect(await client.ids(project, 'tapir')).toEqual(['a.md#0']);
  }
});
