import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import type { SqliteProjectStores } from '../../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import type { ProjectStore } from '../../../src/ports/driven/project-stores.js';
import { document } from '../../support/chunks.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

const LOG_MAX_BYTES = 1_000_000;
/** A little more than that. */
const LONG = Array.from({ length: 100 }, (_, n) => `${n} ${'word '.repeat(800)}`);

describe('The write-ahead log, while another program reads in one long transaction', () => {
  let project: TempProject;
  let stores: SqliteProjectStores;
  let store: ProjectStore;
  let other: Database;

  beforeEach(async () => {
    project = projects.make();
    stores = sqliteStores({ logMaxBytes: LOG_MAX_BYTES });
    store = await stores.open(project.path);
    other = new Database(project.database);
    other.exec('BEGIN');
    other.prepare('SELECT count(*) FROM chunks').get();
  });

  afterEach(async () => {
    other.close();
    await stores.close();
  });

  const ingest = (name: string, texts: readonly string[]) =>
    store.chunks.replaceSource(name, async () => document(name, texts));
  const logBytes = () => statSync(`${project.database}-wal`).size;

  test('grows more slowly once it is long, but a count is kept at once', async () => {
    const begin = performance.now();
    const large = ingest('a', LONG).then(() => performance.now() - begin);
    void store.retrievals.record(['a#0'], new Date());
    const count = () =>
      other.prepare("SELECT retrieval_count FROM chunks WHERE id = 'a#0'").pluck().get();
    other.exec('COMMIT; BEGIN');
    while (count() !== 1) {
      await setTimeout(5);
      other.exec('COMMIT; BEGIN');
    }
    const counted = performance.now() - begin;
    expect(logBytes()).toBeGreaterThan(LOG_MAX_BYTES);
    expect(await large).toBeGreaterThan(counted);
  });

  test('is cut when the other program is done, and slows nothing down any more', async () => {
    await ingest('a', LONG);
    other.exec('COMMIT');
    const begin = performance.now();
    await ingest('b', ['short']);
    await ingest('c', ['short']);
    expect(performance.now() - begin).toBeLessThan(1_000);
    expect(logBytes()).toBeLessThanOrEqual(LOG_MAX_BYTES);
  });

  test('makes nobody wait for whom the store is closed', async () => {
    const large = ingest('a', LONG);
    await store.retrievals.record(['a#0'], new Date());
    const begin = performance.now();
    await stores.close();
    await large;
    expect(performance.now() - begin).toBeLessThan(1_000);
  });
});
