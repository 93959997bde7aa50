import { mkdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import {
  execute,
  rowsOf,
  SPECIFIED_SCHEMA,
  scalarOf,
  sha256,
} from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { type TempProject, TempProjects } from '../../support/temp-project.js';

const INHERITED_NAMES = ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf'];

const projects = new TempProjects();
afterAll(() => projects.removeAll());

const stores = sqliteStores();
afterAll(() => stores.close());

/** A project whose database has the specified schema and what these statements add. */
function projectWith(sql: string): TempProject {
  const project = projects.make();
  mkdirSync(project.at('.knowledge'));
  execute(project.database, `${SPECIFIED_SCHEMA};${sql}`);
  return project;
}

describe('a database with names that every JavaScript object inherits', () => {
  test.each(INHERITED_NAMES)(
    'is refused and not changed if a trigger is named %s',
    async (name) => {
      const project = projectWith(
        `CREATE TRIGGER "${name}" BEFORE INSERT ON chunks BEGIN DELETE FROM chunks; END`,
      );
      const before = sha256(project.database);
      await expect(stores.open(project.path)).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(sha256(project.database)).toBe(before);
    },
  );

  test.each(INHERITED_NAMES)('opens and keeps the rows of a table named %s', async (name) => {
    const project = projectWith(
      `CREATE TABLE "${name}" (a); INSERT INTO "${name}" VALUES (7); CREATE INDEX "i" ON "${name}"(a)`,
    );
    const store = await stores.open(project.path);
    expect((await store.chunks.stats()).totalChunks).toBe(0);
    expect(rowsOf(project.database, `SELECT a FROM "${name}"`)).toEqual([{ a: 7 }]);
  });

  test.each(INHERITED_NAMES)('opens if the chunks have a column named %s', async (name) => {
    const project = projectWith(`ALTER TABLE chunks ADD COLUMN "${name}" INTEGER`);
    const store = await stores.open(project.path);
    expect((await store.chunks.stats()).totalChunks).toBe(0);
  });
});

test.each(['chunks_ai', 'chunks_ad', 'chunks_au'])(
  'a trigger named %s that does something else is replaced by ours',
  async (name) => {
    const project = projectWith(
      `DROP TRIGGER ${name};
       CREATE TRIGGER ${name} AFTER INSERT ON embeddings BEGIN DELETE FROM chunks; END`,
    );
    await stores.open(project.path);
    const sql = scalarOf(project.database, `SELECT sql FROM sqlite_master WHERE name = '${name}'`);
    expect(sql).not.toContain('DELETE FROM chunks');
    expect(sql).toContain('ON chunks');
  },
);
