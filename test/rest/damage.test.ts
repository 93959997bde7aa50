import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { verifyDatabase } from '../support/database-inspection.js';
import { asShipped, eventually } from '../support/running-service.js';
import { error, errorOf, okBody, startClient } from '../support/running-service-calls.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

asShipped();

const projects = testProjects();
const client = await startClient('hybrid');
afterAll(() => client.service.stop());

/** What the projects of these tests are copied from. */
const template = projects.make();
beforeAll(async () => {
  for (let i = 0; i < 40; i += 1) {
    template.write(`n/${i}.md`, `the tapir number ${i}\n\n${'filler '.repeat(200)}`);
  }
  template.writeReflection('f', 'the tapir of a reflection');
  template.writeOutput('f', 'the tapir of an output');
  const other = await startClient('search-only');
  okBody(await other.rebuild(template));
  await other.service.stop();
});

function asides(project: TempProject): readonly string[] {
  return readdirSync(dirname(project.database)).filter((name) =>
    name.startsWith('knowledge.db.corrupt-'),
  );
}

describe('a damaged database', () => {
  /** Asks until the store is there again; every earlier response must be a 503 with the specified body. */
  async function refilled(project: TempProject): Promise<number> {
    let refusals = 0;
    await eventually(async () => {
      const answer = await client.stats(project);
      if (answer.status === 200) return true;
      expect(errorOf(answer)).toEqual(error(503, 'store_unavailable'));
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      refusals += 1;
      return false;
    });
    return refusals;
  }

  /** A project of its own with a database that no service has open. */
  function indexed(): TempProject {
    const project = projects.make();
    cpSync(template.path, project.path, { recursive: true });
    return project;
  }

  test('a file that is not a database is moved aside, created again and refilled immediately', async () => {
    const project = projects.make({
      'a.md': 'the tapir',
      '.knowledge/knowledge.db': 'this is not a database at all\n'.repeat(300),
    });
    project.writeReflection('f', 'the tapir');
    writeFileSync(`${project.database}-wal`, 'stale');
    writeFileSync(`${project.database}-shm`, 'stale');
    const garbage = readFileSync(project.database);
    expect(errorOf(await client.search(project, 'tapir'))).toEqual(error(503, 'store_unavailable'));
    await refilled(project);
    await eventually(async () => (await client.ids(project, 'tapir')).length === 2);
    expect((await client.ids(project, 'tapir')).toSorted()).toEqual([
      '.knowledge/features/f/reflection.md#0',
      'a.md#0',
    ]);
    const moved = asides(project);
    expect(moved.filter((name) => !/-(?:wal|shm)$/.test(name))).toHaveLength(1);
    const aside = moved.find((name) => !/-(?:wal|shm)$/.test(name)) ?? '';
    expect(readFileSync(project.at(`.knowledge/${aside}`))).toEqual(garbage);
    expect(aside).toMatch(/^knowledge\.db\.corrupt-\d{4}-?\d\d-?\d\dT?[\d\-:.]*Z?$/);
    expect(client.service.stderr()).toContain(aside);
    verifyDatabase(project.database);
  });

  test('one in which indexes do not match their table, as no quick check sees', async () => {
    const project = indexed();
    exchangeIndexes(project.database);
    project.write('n/0.md', 'the okapi');
    await eventually(async () => (await client.rebuild(project)).status === 200);
    // The other process may still be filling the store.
    await eventually(async () => (await client.search(project, 'okapi')).status === 200);
    // The other worker may still be indexing the sources as well.
    await eventually(async () => (await client.ids(project, 'okapi')).length === 1);
    expect(await client.ids(project, 'okapi')).toEqual(['n/0.md#0']);
    expect(asides(project).length).toBeGreaterThan(0);
    verifyDatabase(project.database);
  });

  test('one that breaks while it is open', async () => {
    const project = indexed();
    okBody(await client.stats(project));
    const size = readFileSync(project.database).length;
    const noise = Buffer.alloc(size - 4096, 0xa5);
    const file = readFileSync(project.database);
    noise.copy(file, 4096);
    writeFileSync(project.database, file);
    // Each worker refuses until it has seen that the store is filled again.
    await eventually(async () => {
      const isAside = asides(project).length > 0;
      const answer = await client.search(project, 'tapir', { maxResults: 50 });
      expect([200, 503]).toContain(answer.status);
      if (!isAside || answer.status === 503) return false;
      expect(answer.body.results).toHaveLength(42);
      return true;
    });
    verifyDatabase(project.database);
  });
});

/** Each of two indexes has the entries of the other one. */
function exchangeIndexes(path: string): void {
  const db = openDatabase(path);
  const rootOf = db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck();
  const names = ['chunks_by_source_file', 'chunks_by_created_at'];
  const roots = names.map((name) => rootOf.get(name));
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  const set = db.prepare('UPDATE sqlite_master SET rootpage = ? WHERE name = ?');
  names.forEach((name, index) => void set.run(roots[1 - index], name));
  db.pragma('writable_schema = RESET');
  db.close();
}
