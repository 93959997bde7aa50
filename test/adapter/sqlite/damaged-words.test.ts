import { afterAll, describe, expect, it } from 'vitest';
import type { ProjectStore } from '../../../src/ports/project-stores.js';
import { anyWordOf } from '../../contract/harness/steps.js';
import { document } from '../../support/chunks.js';
import { verifyDatabase, withDatabase } from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const stores = sqliteStores();
afterAll(() => stores.close());

const WORD_TABLES = ['chunks_fts', 'store_name_words', 'side_words'];

/** A project whose index of words of this name holds nothing that can be read. */
async function damaged(table: string, change = `UPDATE ${table}_data SET block = x'0102030405'`) {
  const project = projects.make();
  const { chunks } = await stores.open(project.path);
  const names = { title: 'Okapi', aliases: ['Tapir'] };
  const own = { ...document('docs/lock.md', ['one tapir 貘']), names };
  await chunks.replaceSources([{ sourceFile: 'docs/lock.md', document: own }]);
  await stores.release(project.path);
  withDatabase(project.database, (db) => db.unsafeMode(true).exec(change));
  return project;
}

async function search({ keywords }: ProjectStore, text: string): Promise<readonly string[]> {
  const query = {
    expression: anyWordOf(text),
    filter: { sourceTypes: 'all' },
    limit: 10,
    names: 'counted',
  } as const;
  return (await keywords.search(query)).map(({ chunk }) => chunk.id);
}

describe.each(WORD_TABLES)('the damaged index %s', (table) => {
  it.each(['tapir', '貘', 'lock'])('is mended by a search for %s', async (word) => {
    const project = await damaged(table);
    const own = sqliteStores();
    const store = await own.open(project.path);
    await store.chunks.stats();
    expect(await search(store, word)).toEqual(['docs/lock.md#0']);
    await own.close();
    verifyDatabase(project.database);
  });

  it('is mended by a write', async () => {
    const project = await damaged(table);
    const store = await stores.open(project.path);
    const sourceFile = 'docs/b.md';
    await store.chunks.replaceSources([{ sourceFile, document: document(sourceFile, ['a 貘']) }]);
    expect(await search(store, '貘')).toHaveLength(2);
    await stores.release(project.path);
    verifyDatabase(project.database);
  });

  it.each(['repair', 'rebuild'] as const)('is mended by a %s', async (treatment) => {
    const project = await damaged(table);
    const store = await stores.open(project.path);
    await store.upkeep.maintain(treatment);
    expect(await store.upkeep.maintain('examine')).toEqual([]);
    expect(await search(store, 'tapir')).toEqual(['docs/lock.md#0']);
    await stores.release(project.path);
    verifyDatabase(project.database);
  });

  it('is found by an examination', async () => {
    const project = await damaged(table);
    const { upkeep } = await stores.open(project.path);
    expect(await upkeep.maintain('examine')).toMatchObject([{ code: 'index_outdated' }]);
  });
});
