import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.js';
import { SCHEMA_VERSION } from '../../../src/adapters/sqlite/schema/migration.js';
import {
  FULL_TEXT_INDEX,
  INDEXES,
  TABLES,
  TRIGGERS,
} from '../../../src/adapters/sqlite/schema/schema.js';
import { EMBEDDING_DIMENSIONS } from '../../../src/domain/limits.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import {
  execute,
  insertChunk,
  rowsOf,
  SPECIFIED_SCHEMA,
  scalarOf,
  sha256,
  verifyDatabase,
} from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

/** Opens a project's store, as a process does that has just started, and closes it. */
async function openOnce(project: TempProject): Promise<void> {
  const stores = sqliteStores();
  await stores.open(project.path);
  await stores.close();
}

async function newStore(): Promise<TempProject> {
  const project = projects.make();
  await openOnce(project);
  insertChunk(project.database, { id: 'x', content: 'one tapir' });
  return project;
}

const DERIVED = { ...INDEXES, ...TRIGGERS, chunks_fts: FULL_TEXT_INDEX };

function sqlOf(project: TempProject, name: string): unknown {
  return scalarOf(project.database, `SELECT sql FROM sqlite_master WHERE name = '${name}'`);
}

describe('a store of the current version is mended when it is opened', () => {
  test.each(Object.entries(DERIVED))('if %s is missing', async (name, sql) => {
    const project = await newStore();
    const kind = /^CREATE (?:VIRTUAL )?(\w+)/.exec(sql)?.[1];
    execute(project.database, `DROP ${kind} ${name}`);
    await openOnce(project);
    expect(sqlOf(project, name)).toBe(sql);
    verifyDatabase(project.database);
  });

  test.each(Object.keys(TABLES).filter((name) => name.startsWith('store_')))(
    'if the table %s is missing',
    async (name) => {
      const project = await newStore();
      execute(project.database, `DROP TABLE ${name}`);
      await openOnce(project);
      expect(sqlOf(project, name)).toBe(TABLES[name]);
      expect(rowsOf(project.database, 'SELECT id FROM chunks')).toEqual([{ id: 'x' }]);
    },
  );

  test('and is not written where nothing is amiss', async () => {
    const project = await newStore();
    const version = scalarOf(project.database, 'PRAGMA schema_version');
    await openOnce(project);
    expect(scalarOf(project.database, 'PRAGMA schema_version')).toBe(version);
  });
});

describe('a store of an earlier version is brought up to date when it is opened', () => {
  /** The tables that came with each version. */
  const ADDED: readonly (readonly [number, readonly string[]])[] = [
    [3, ['store_types']],
    [4, ['store_citations']],
    [5, ['store_supersessions']],
    [6, ['store_codes']],
  ];

  test.each(Array.from({ length: SCHEMA_VERSION }, (_, version) => version))(
    'version %i',
    async (version) => {
      const project = version === 0 ? projects.make() : await newStore();
      if (version === 0) {
        mkdirSync(project.at('.knowledge'));
        execute(project.database, SPECIFIED_SCHEMA);
        insertChunk(project.database, { id: 'x', content: 'one tapir' });
      }
      const later = ADDED.filter(([since]) => since > version).flatMap(([, tables]) => tables);
      for (const name of version === 0 ? [] : later) dropWithTriggers(project, name);
      execute(project.database, `PRAGMA user_version = ${version}`);
      await openOnce(project);
      expect(scalarOf(project.database, 'PRAGMA user_version')).toBe(SCHEMA_VERSION);
      expect(rowsOf(project.database, 'SELECT id, content FROM chunks')).toEqual([
        { id: 'x', content: 'one tapir' },
      ]);
      for (const name of Object.keys(TABLES)) expect(sqlOf(project, name)).toBeDefined();
      verifyDatabase(project.database);
    },
  );

  test('and one of a later version is left alone, byte by byte', async () => {
    const project = await newStore();
    execute(project.database, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    const before = sha256(project.database);
    await expect(openOnce(project)).rejects.toMatchObject({ code: 'schema_too_new' });
    expect(sha256(project.database)).toBe(before);
  });
});

test('a connection trusts neither the schema nor the cells, and maps no file into memory', async () => {
  const project = await newStore();
  const connections = await openDatabase(project.at('.knowledge'), {
    mode: 'trusted',
    dimensions: EMBEDDING_DIMENSIONS,
    clock: new FixedClock(),
    stopWaiting: new AbortController().signal,
  });
  connections.writer?.exec('BEGIN IMMEDIATE');
  for (const db of [connections.reader, connections.writer]) {
    const settings = ['trusted_schema', 'cell_size_check', 'mmap_size', 'foreign_keys'];
    expect(settings.map((name) => db?.pragma(name, { simple: true }))).toEqual([0, 1, 0, 1]);
  }
  expect(connections.reader).not.toBe(connections.writer);
  expect(connections.reader.readonly).toBe(true);
  connections.close();
});

test('a file that cannot be brought up to date is refused, and not set aside', async () => {
  const project = projects.make();
  mkdirSync(project.at('.knowledge'));
  execute(project.database, "CREATE TABLE 'chunks_fts_data'(id INTEGER PRIMARY KEY, block BLOB)");
  await expect(openOnce(project)).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(rowsOf(project.database, 'SELECT name FROM sqlite_master')).toHaveLength(1);
});

/** A table with the triggers that write to it. */
function dropWithTriggers({ database }: TempProject, table: string): void {
  const triggers = rowsOf<{ name: string }>(
    database,
    `SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%${table}%'`,
  );
  for (const { name } of triggers) execute(database, `DROP TRIGGER ${name}`);
  execute(database, `DROP TABLE ${table}`);
}
