import { existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileConnection, openFile } from '../../../src/adapters/sqlite/database/connection.js';
import { isDamage } from '../../../src/adapters/sqlite/database/errors.js';
import { withDatabase } from '../../support/database-inspection.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

function projectWithDatabase() {
  const project = projects.make({ '.knowledge/a': '' });
  withDatabase(project.database, (db) => {
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE t (x)');
  });
  return project;
}

test('a database whose folder has gone is unavailable', () => {
  const project = projectWithDatabase();
  renameSync(project.at('.knowledge'), project.at('gone'));
  expect(() => openFile(project.database)).toThrowError(
    expect.objectContaining({ code: 'store_unavailable' }),
  );
});

test('a database in a format of another SQLite counts as damaged', () => {
  const project = projectWithDatabase();
  const bytes = readFileSync(project.database);
  bytes.writeUInt32BE(9, SCHEMA_FORMAT_AT);
  writeFileSync(project.database, bytes);
  let thrown: unknown;
  try {
    openFile(project.database);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ message: 'unsupported file format' });
  expect(isDamage(thrown)).toBe(true);
});

/** In the header of the file (sqlite.org/fileformat.html). */
const SCHEMA_FORMAT_AT = 44;

test('no log is created behind a link that has replaced the folder', () => {
  const project = projectWithDatabase();
  renameSync(project.at('.knowledge'), project.at('elsewhere'));
  symlinkSync(project.at('elsewhere'), project.at('.knowledge'));
  expect(() => openFile(project.database)).toThrowError(
    expect.objectContaining({ code: 'store_unavailable' }),
  );
  expect(existsSync(project.at('elsewhere/knowledge.db-shm'))).toBe(false);
});

test('a connection is not current once another file is at its path, even if that was moved there before it was set up', () => {
  const project = projectWithDatabase();
  const db = openFile(project.database);
  renameSync(project.database, project.at('away'));
  writeFileSync(project.database, readFileSync(project.at('away')));
  expect(fileConnection(db, project.database).isCurrent()).toBe(false);
  db.close();
});
