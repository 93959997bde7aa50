import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { repairIndexes } from '../database/page-check.js';
import { prepared } from '../database/prepared.js';
import { setState, stateOf } from '../database/store-state.js';
import { areDerivedObjectsOutdated, repairDerivedObjects } from '../schema/derived-objects.js';
import { CHUNK_TRIGGERS, FILL_TYPES, REBUILD_FULL_TEXT, TYPE_TRIGGERS } from '../schema/schema.js';
import { statementsOf } from '../schema/schema-reading.js';
import { catchUpCjkIndex, rebuildCjkIndex } from './cjk-index.js';

/**
 * Builds both full-text indexes and the types by row again; with `outdated` only if an index, or the chunks,
 * changed since that was last done. Must run in a write transaction.
 */
export function rebuildIndexes(db: Database, when: 'always' | 'outdated'): void {
  const isSuspended = areDerivedObjectsOutdated(db);
  if (!isSuspended && when === 'always') repairIndexes(db);
  if (when === 'outdated' && stateOf(db, REBUILT) === fingerprint(db)) return;
  if (isSuspended) resumeIndexes(db);
  else rebuildAll(db);
  setState(db, REBUILT, fingerprint(db));
}

/** Where only the suspended triggers are missing, all else was kept up to date. */
function resumeIndexes(db: Database): void {
  for (const sql of missingTriggers(db)) db.exec(sql);
  if (areDerivedObjectsOutdated(db)) {
    repairDerivedObjects(db);
    rebuildAll(db);
    return;
  }
  db.exec(REBUILD_FULL_TEXT);
  catchUpCjkIndex(db);
  db.exec(FILL_TYPES);
}

function rebuildAll(db: Database): void {
  db.exec(REBUILD_FULL_TEXT);
  rebuildCjkIndex(db);
  db.exec(FILL_TYPES);
}

function missingTriggers(db: Database): readonly string[] {
  const found = statementsOf(db);
  return Object.entries(SUSPENDED_TRIGGERS).flatMap(([name, sql]) =>
    found.has(name) ? [] : [sql],
  );
}

/**
 * Drops the triggers of the full-text index and of the types by row if there are no chunks yet; `rebuildIndexes` and the
 * next opening of the database make them again, and what they keep up to date. Returns whether it did.
 */
export function suspendIndexes(db: Database): boolean {
  if (db.prepare('SELECT 1 FROM chunks LIMIT 1').get() !== undefined) return false;
  for (const name of Object.keys(SUSPENDED_TRIGGERS)) db.exec(`DROP TRIGGER IF EXISTS ${name}`);
  return true;
}

const SUSPENDED_TRIGGERS = { ...CHUNK_TRIGGERS, ...TYPE_TRIGGERS };

/** What `fingerprint` was after the last rebuild. */
const REBUILT = 'indexes_rebuilt';

const INDEXES = ['chunks_fts', 'store_cjk'];

/** The tables in which FTS5 keeps an index, and the columns of those that have many small rows. */
const INDEX_TABLES = [
  ['config', 'k, v'],
  ['data', undefined],
  ['docsize', 'id, sz'],
  ['idx', 'segid, term, pgno'],
] as const;

/**
 * Differs if any byte of an index does, or the schema, which a VACUUM changes as well. Takes a fraction of the time
 * of a rebuild. The chunks cannot change without that, since triggers write each change to the index.
 */
function fingerprint(db: Database): string {
  const hash = createHash('sha256').update(String(db.pragma('schema_version', { simple: true })));
  const existing = statementsOf(db);
  for (const index of INDEXES.filter((name) => existing.has(name))) {
    for (const [name, columns] of INDEX_TABLES) {
      for (const part of partsOf(db, `${index}_${name}`, columns)) hash.update(part);
    }
  }
  return hash.digest('hex');
}

/** All that is in a table. Small rows are joined by SQLite, since each that JavaScript sees takes a microsecond. */
function partsOf(db: Database, table: string, columns?: string): Iterable<Buffer | string> {
  if (columns === undefined) {
    return inBuffers(
      prepared<[], readonly unknown[]>(db, `SELECT * FROM ${table}`).raw().iterate(),
    );
  }
  const values = columns.split(', ').map((column) => `quote(${column})`);
  const sql = `SELECT group_concat(${values.join(" || ',' || ")}, ';') FROM ${table}`;
  return [prepared<[], string | null>(db, sql).pluck().get() ?? ''];
}

/** Some rows at a time, since hashing each value for itself takes longer than reading it. */
function* inBuffers(rows: Iterable<readonly unknown[]>): Generator<Buffer> {
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
