import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NEIGHBOURS } from '../../../src/adapters/sqlite/vectors/neighbour-table.js';
import { PLANTED_MODEL, PlantedVectors, scattered } from '../../support/planted-vectors.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DIST = join(ROOT, 'dist');

let planted: PlantedVectors;

beforeEach(async () => {
  planted = new PlantedVectors();
  await planted.plant();
  await planted.close();
});

afterEach(() => planted.dispose());

const DATA_TABLES = ['info', 'chunks', 'rowids', 'vector_chunks00'].map(
  (name) => `${NEIGHBOURS}_${name}`,
);

const DAMAGES: Readonly<Record<string, (table: string) => string>> = {
  'is missing': (table) => `DROP TABLE "${table}"`,
  'is empty': (table) => `DELETE FROM "${table}"`,
};

it.each(
  DATA_TABLES.flatMap((table) => Object.keys(DAMAGES).map((damage) => [table, damage] as const)),
)('searches and stores although %s %s', async (table, damage) => {
  damageDatabase((db) => db.exec(DAMAGES[damage]?.(table) ?? ''));
  expect(await searchedInChild()).toEqual(planted.naiveNearest(scattered(9), 20).map(idOf));
});

it.each([
  `DELETE FROM ${NEIGHBOURS} WHERE rowid = 5`,
  `UPDATE ${NEIGHBOURS} SET code = vec_int8(zeroblob(384)) WHERE rowid = 5`,
  `SELECT code FROM ${NEIGHBOURS} WHERE rowid = 5`,
])('sqlite-vec alone ends the process on %s without the table of rowids', async (sql) => {
  damageDatabase((db) => db.exec(`DROP TABLE ${NEIGHBOURS}_rowids`));
  const child = run(process.execPath, ['-e', UNCHECKED, planted.dbPath, sql], { cwd: ROOT });
  await expect(child).rejects.toMatchObject({ signal: 'SIGSEGV' });
});

it('searches and stores although the codes are of another size', async () => {
  damageDatabase((db) =>
    db.exec(`UPDATE ${NEIGHBOURS}_vector_chunks00 SET vectors = x'00';
      UPDATE ${NEIGHBOURS}_chunks SET validity = x'ff', rowids = x'ff'`),
  );
  expect(await searchedInChild()).toEqual(planted.naiveNearest(scattered(9), 20).map(idOf));
});

function idOf({ chunkId }: { readonly chunkId: string }): string {
  return chunkId;
}

function damageDatabase(work: (db: Database.Database) => void): void {
  planted.change((db) => {
    db.unsafeMode(true);
    work(db);
  });
}

/** In a process of its own, which a crash of sqlite-vec would end: the ids that it finds at last. */
async function searchedInChild(): Promise<unknown> {
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '-e',
    SEARCH,
    DIST,
    planted.projectPath,
    PLANTED_MODEL,
    JSON.stringify([...scattered(9)]),
  ]);
  return JSON.parse(stdout);
}

/** What the service would do without looking at the tables first. */
const UNCHECKED = `
const [path, sql] = process.argv.slice(1);
const db = require('better-sqlite3')(path);
require('sqlite-vec').load(db);
const statement = db.prepare(sql);
if (statement.reader) statement.all(); else statement.run();
`;

/** Searches, stores and deletes vectors, and searches again; the second time the index is made again. */
const SEARCH = `
const [dist, project, model, numbers] = process.argv.slice(1);
const { appDirectories } = await import(dist + '/adapters/files/app-directories.js');
const { SqliteProjectStores } = await import(dist + '/adapters/sqlite/stores/sqlite-project-stores.js');
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const clock = { now: () => new Date(), monotonic: () => performance.now(), sleep: () => new Promise(() => {}) };
const query = Float32Array.from(JSON.parse(numbers));
const stores = new SqliteProjectStores({ appDirs: appDirectories('.knowledge'), model, dimensions: query.length, clock, logger });
const { vectors, chunks } = await stores.open(project);
const nearest = () => vectors.nearest(query, { sourceTypes: 'all' }, 20);
await nearest();
await vectors.put([{ chunkId: 'f.md#5', texts: ['text 5'], vector: query }]);
for (let i = 0; i < 5; i += 1) {
  await nearest();
  await new Promise((resolve) => setTimeout(resolve, 20));
}
console.log(JSON.stringify((await nearest()).map(({ chunkId }) => chunkId)));
await stores.close();
`;
