import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { repairIndexes } from '../database/page-check.js';
import { prepared } from '../database/prepared.js';
import { setState, stateOf } from '../database/store-state.js';
import {
  areDerivedObjectsOutdated,
  fillIndexes,
  repairDerivedObjects,
} from '../schema/derived-objects.js';
import { INDEXING_TRIGGERS, VIRTUAL_TABLES } from '../schema/schema.js';
import { statementsOf } from '../schema/schema-reading.js';
import { catchUpCjkIndex } from './cjk-index.js';

/**
 * Builds both full-text indexes and the types by row again; with `outdated` only if an index, or the chunks,
 * changed since that was last done. Must run in a write transaction.
 */
export function rebuildIndexes(db: Database, when: 'always' | 'outdated'): void {
  if (areDerivedObjectsOutdated(db)) {
    repairDerivedObjects(db);
  } else {
    if (when === 'always') repairIndexes(db);
    else if (stateOf(db, REBUILT) === fingerprint(db)) return;
    fillIndexes(db);
  }
  catchUpCjkIndex(db);
  setState(db, REBUILT, fingerprint(db));
}

/**
 * Drops the triggers that index chunks if there are no chunks yet; `rebuildIndexes` and the next opening of the database
 * make them again, and what they keep up to date. Returns whether it did.
 */
export function suspendIndexes(db: Database): boolean {
  if (db.prepare('SELECT 1 FROM chunks LIMIT 1').get() !== undefined) return false;
  for (const name of Object.keys(INDEXING_TRIGGERS)) db.exec(`DROP TRIGGER IF EXISTS ${name}`);
  return true;
}

/** What `fingerprint` was after the last rebuild. */
const REBUILT = 'indexes_rebuilt';

/**
 * Differs if any byte of an index does, or the schema, which a VACUUM changes as well. Takes a fraction of the time
 * of a rebuild. The chunks cannot change without that, since triggers write each change to the index.
 */
function fingerprint(db: Database): string {
  const hash = createHash('sha256').update(String(db.pragma('schema_version', { simple: true })));
  const names = [...statementsOf(db).keys()].filter((name) => SHADOW_TABLES.test(name));
  for (const name of names.toSorted()) {
    const rows = prepared<[], readonly unknown[]>(db, `SELECT * FROM ${name}`).raw();
    for (const row of rows.iterate()) {
      for (const value of row) hash.update(Buffer.isBuffer(value) ? value : `${value};`);
    }
  }
  return hash.digest('hex');
}

/** The tables in which FTS5 keeps an index. */
const SHADOW_TABLES = new RegExp(
  `^(${Object.keys(VIRTUAL_TABLES).join('|')})_(config|data|docsize|idx)$`,
);
