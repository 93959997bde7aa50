import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { mendIndexes } from '../database/page-check.js';
import { prepared } from '../database/prepared.js';
import { setState, stateOf } from '../database/store-state.js';
import { areDerivedObjectsOutdated, mendDerivedObjects } from '../schema/derived-objects.js';
import { CHUNK_TRIGGERS, FILL_TYPES } from '../schema/schema.js';
import { statementsOf } from '../schema/schema-reading.js';
import { rebuildCjkIndex } from './cjk-index.js';

/**
 * Builds both full-text indexes and the types by row again; with `outdated` only if an index, or the chunks, changed since that was last
 * done. Must run in a write transaction.
 */
export async function rebuildIndexes(db: Database, when: 'always' | 'outdated'): Promise<void> {
  const isSuspended = areDerivedObjectsOutdated(db);
  if (!isSuspended && when === 'always') mendIndexes(db);
  if (when === 'outdated' && stateOf(db, REBUILT) === fingerprint(db)) return;
  if (isSuspended) mendDerivedObjects(db);
  else db.exec("INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild')");
  await rebuildCjkIndex(db);
  db.exec(FILL_TYPES);
  setState(db, REBUILT, fingerprint(db));
}

/**
 * Drops the triggers of the full-text index if there are no chunks yet; `rebuildIndexes` and the next opening of
 * the database make them and the index again. Returns whether it did.
 */
export function suspendFullTextIndex(db: Database): boolean {
  if (db.prepare('SELECT 1 FROM chunks LIMIT 1').get() !== undefined) return false;
  for (const name of Object.keys(CHUNK_TRIGGERS)) db.exec(`DROP TRIGGER IF EXISTS ${name}`);
  return true;
}

export function isFullTextIndexSuspended(db: Database): boolean {
  const found = statementsOf(db);
  return Object.keys(CHUNK_TRIGGERS).some((name) => !found.has(name));
}

/** What `fingerprint` was after the last rebuild. */
const REBUILT = 'indexes_rebuilt';

/** The tables in which FTS5 keeps the indexes. */
const INDEX_TABLES = ['chunks_fts', 'store_cjk'].flatMap((index) =>
  ['config', 'data', 'docsize', 'idx'].map((table) => `${index}_${table}`),
);

/**
 * Differs if any byte of an index does, or the schema, which a VACUUM changes as well. Takes a fraction of the time
 * of a rebuild. The chunks cannot change without that, since triggers write each change to the index.
 */
function fingerprint(db: Database): string {
  const hash = createHash('sha256').update(String(db.pragma('schema_version', { simple: true })));
  const existing = statementsOf(db);
  for (const table of INDEX_TABLES.filter((name) => existing.has(name))) {
    const rows = prepared<[], readonly unknown[]>(db, `SELECT * FROM ${table}`).raw().iterate();
    for (const part of parts(rows)) hash.update(part);
  }
  return hash.digest('hex');
}

/** Some rows at a time, since hashing each value for itself takes longer than reading it. */
function* parts(rows: Iterable<readonly unknown[]>): Generator<Buffer> {
  let part: Buffer[] = [];
  for (const row of rows) {
    for (const value of row) part.push(Buffer.isBuffer(value) ? value : Buffer.from(`${value};`));
    if (part.length < VALUES_AT_ONCE) continue;
    yield Buffer.concat(part);
    part = [];
  }
  yield Buffer.concat(part);
}

const VALUES_AT_ONCE = 1000;
