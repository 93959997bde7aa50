import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { SqliteBackups } from '../../../src/adapters/sqlite/backups/sqlite-backups.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { document } from '../../support/chunks.js';
import { rowsOf } from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { TempProjects } from '../../support/temp-project.js';

const projects = new TempProjects();
afterAll(() => projects.removeAll());

test('the former database is one file, also where a call opened it again before it was moved', async () => {
  const project = projects.make();
  const stores = sqliteStores();
  const write = async (name: string) => {
    const { chunks } = await stores.open(project.path);
    await chunks.replaceSource(name, async () => document(name, [name]));
  };
  let releases = 0;
  const release = async (projectPath: string) => {
    await stores.release(projectPath);
    releases += 1;
    if (releases === 1) await write('late');
  };
  const backups = new SqliteBackups({
    appDirs: appDirectories('.knowledge'),
    clock: new FixedClock(),
    release,
  });

  await write('early');
  await backups.backup(project.path, 'b');
  const { chunks, previous = '' } = await backups.restore(project.path, 'b');
  expect(chunks).toBe(1);
  expect(readdirSync(project.at('.knowledge')).filter((name) => /-(wal|shm)$/.test(name))).toEqual(
    [],
  );
  const sources = rowsOf<{ source_file: string }>(
    project.at(previous),
    'SELECT source_file FROM chunks ORDER BY source_file',
  );
  expect(sources.map(({ source_file: file }) => file)).toEqual(['early', 'late']);
  await stores.close();
});
