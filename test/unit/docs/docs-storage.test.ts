import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createInMemory,
  SCHEMA_VERSION,
} from '../../../src/adapters/sqlite/database/own-schema.js';
import { createKnowledgeStore } from '../../../src/index.js';
import { execute, ISO_DATE, rowsOf, withDatabase } from '../../support/database-inspection.js';
import { CHECKOUT as ROOT } from '../../support/running-service.js';
import { testProjects } from '../../support/test-projects.js';

/** Holds docs/storage.md against the schema, and runs its snippets on the database of a store in use. */
const STORAGE = await readFile(join(ROOT, 'docs', 'storage.md'), 'utf8');
const MODEL = 'Xenova/all-MiniLM-L6-v2';
const run = promisify(execFile);

const { path: project } = testProjects().make({
  'README.md': '## Locks\nKeep locks short.\n\n## Pages\nUse 4 KiB.\n',
});
const { store, stop } = createKnowledgeStore({
  dataDir: join(project, 'data'),
  downloads: 'forbidden',
  logger: 'silent',
});
afterAll(stop);
await store.reindex(project);
const { dbPath } = await store.getStats(project);

describe('docs/storage.md, of the schema', () => {
  test.each(['chunks', 'embeddings'])('has every column of %s, and no other', (table) => {
    expect(documentedRows(table)).toEqual(columnsOf(table));
  });

  test('has every table, trigger and index, the tokenizer and the version', () => {
    const names = createInMemory()
      .prepare<[], string>('SELECT name FROM sqlite_schema WHERE sql IS NOT NULL')
      .pluck()
      .all()
      .filter(
        (name) =>
          !/^(chunks_fts|side_words|store_name_words)_(data|idx|docsize|config|content)$/.test(
            name,
          ),
      );
    expect(names.filter((name) => !STORAGE.includes(`\`${name}\``))).toEqual([]);
    expect(STORAGE).toContain('tokenizer `porter unicode61 remove_diacritics 2`');
    expect(STORAGE).toContain(`\`user_version\` is ${SCHEMA_VERSION}.`);
  });
});

describe('docs/storage.md, of a store in use', () => {
  test('decodes a vector in Node and in Python', async () => {
    const vector = storeVector();
    const decoder = join(ROOT, 'dist', `.docs-decoder-${process.pid}.mjs`);
    const driver =
      "{ sqliteDriver } from './adapters/sqlite/database/driver.js'; const Database = sqliteDriver();";
    await writeFile(decoder, snippet('js', 0).replace("Database from 'better-sqlite3'", driver));
    const outputs = await Promise.all([
      run(process.execPath, [decoder, dbPath]),
      run('python3', ['-c', snippet('python', 0), dbPath]),
    ]).finally(() => rm(decoder));
    expect(outputs.map(({ stdout }) => JSON.parse(stdout))).toEqual([vector, vector]);
  });

  test('imports vectors that the service then uses', async () => {
    const vectors = join(project, 'vectors.json');
    const imported = { 'README.md#0': vectorFrom(1), 'README.md#1': vectorFrom(2) };
    await writeFile(vectors, JSON.stringify(imported));
    await run('python3', ['-c', snippet('python', 1), dbPath, vectors]);
    expect(await store.getEmbeddingStatus(project)).toEqual({ complete: 2, pending: 0 });
    const row = { model: MODEL, created_at: expect.stringMatching(ISO_DATE) };
    const rows = rowsOf(dbPath, 'SELECT model, created_at FROM embeddings');
    expect(rows).toEqual([row, row]);
  });

  test('has statements for the command line that find the stored rows', () => {
    const [counts, search] = withDatabase(dbPath, (db) =>
      statements().map((sql) => db.prepare(sql).raw().all()),
    );
    expect(counts).toEqual([['file', 2]]);
    expect(search).toEqual([['README.md#0', expect.any(Number)]]);
  });
});

/** The code of the n-th block of a language. */
function snippet(language: string, n: number): string {
  const blocks = [
    ...STORAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')),
  ];
  return blocks[n]?.[1] ?? '';
}

/** The SQL of the lines that call sqlite3 with a statement. */
function statements(): readonly string[] {
  return [...STORAGE.matchAll(/"(SELECT [^"]+)"\n```/g)].map(([, sql = '']) => sql);
}

/** Stores a vector without the service and returns its values. */
function storeVector(): readonly number[] {
  const vector = vectorFrom(3).map(Math.fround);
  const blob = Buffer.alloc(4 * vector.length);
  for (const [i, value] of vector.entries()) blob.writeFloatLE(value, 4 * i);
  const insert = "INSERT INTO embeddings VALUES ('README.md#0', ?, ?, '2026-01-01')";
  execute(dbPath, insert, blob, MODEL);
  return vector;
}

function vectorFrom(seed: number): readonly number[] {
  return Array.from({ length: 384 }, (_, i) => Math.sin(seed * (i + 1)));
}

/** The first two cells of the rows of a table's section; the word `column` heads a list of columns. */
function documentedRows(table: string): readonly (readonly string[])[] {
  const text = STORAGE.split(/^##+ /m).find((part) => part.startsWith(`\`${table}\`\n`)) ?? '';
  return [...text.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name = '', type = '']) => [
    name,
    type,
  ]);
}

/** The columns as SQLite understands them, in the words of the documentation. */
function columnsOf(table: string): readonly (readonly string[])[] {
  const db = createInMemory();
  const columns = db.pragma(`table_info(${table})`) as readonly {
    readonly name: string;
    readonly type: string;
    readonly notnull: number;
    readonly dflt_value: string | null;
    readonly pk: number;
  }[];
  db.close();
  return columns.map(({ name, type, notnull, dflt_value: byDefault, pk }) => [
    name,
    `${type}${pk ? ', primary key' : notnull ? ' NOT NULL' : ''}${byDefault ? `, default ${byDefault}` : ''}`,
  ]);
}
