import { existsSync, renameSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFile } from '../../../src/adapters/sqlite/database/connection.js';
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

test('no log is made behind a link that has taken the place of the folder', () => {
  const project = projectWithDatabase();
  renameSync(project.at('.knowledge'), project.at('elsewhere'));
  symlinkSync(project.at('elsewhere'), project.at('.knowledge'));
  expect(() => openFile(project.database)).toThrowError(
    expect.objectContaining({ code: 'store_unavailable' }),
  );
  expect(existsSync(project.at('elsewhere/knowledge.db-shm'))).toBe(false);
});
