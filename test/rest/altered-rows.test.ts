import { afterAll, beforeAll, expect, test } from 'vitest';
import { chunksIn, execute, verifyDatabase, withDatabase } from '../support/database-inspection.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
let client: Client;
beforeAll(async () => {
  client = await startClient('hybrid');
});
afterAll(async () => {
  await client.service.stop();
  projects.removeAll();
});

const TEXT = '## One\n\ntapir\n\n## Two\n\nokapi\n';

/** Damage that SQLite's own checks do not see, because every row is one that could be. */
test.each([
  [
    'a chunk that says it is of another file',
    "UPDATE chunks SET source_file = 'x' WHERE id = 'a.md#1'",
  ],
  ['a chunk with another id', "UPDATE chunks SET id = 'a.md#!' WHERE id = 'a.md#1'"],
])('%s is written again by a rebuild', async (_, damage) => {
  const project = projects.make({ 'a.md': TEXT });
  okBody(await client.rebuild(project));
  alter(project, damage);
  okBody(await client.rebuild(project));
  const own = chunksIn(project.database, "id LIKE 'a.md#_' AND id <> 'a.md#!'");
  expect(own.map(({ id, source_file }) => [id, source_file])).toEqual([
    ['a.md#0', 'a.md'],
    ['a.md#1', 'a.md'],
  ]);
  execute(project.database, "DELETE FROM chunks WHERE id = 'a.md#!'");
  verifyDatabase(project.database);
});

test('a chunk that is gone without its other rows is imported again', async () => {
  const project = projects.make({ 'a.md': TEXT });
  okBody(await client.rebuild(project));
  okBody(await client.post('/x/export', project, { name: 'whole' }));
  alter(project, "DELETE FROM chunks WHERE id = 'a.md#1'");
  const report = okBody(await client.post('/x/import', project, { name: 'whole' }));
  expect(report).toMatchObject({ added: 1, merged: 1 });
  verifyDatabase(project.database);
});

/** As damage does, that knows of no foreign keys. */
function alter({ database }: TempProject, sql: string): void {
  withDatabase(database, (db) => {
    db.pragma('foreign_keys = OFF');
    db.exec(sql);
  });
}
