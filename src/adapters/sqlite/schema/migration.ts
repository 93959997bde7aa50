import type { Database } from 'better-sqlite3';
import {
  areDerivedObjectsOutdated,
  mendDerivedObjects,
  remakeDerivedObjects,
} from './derived-objects.js';
import { MIGRATIONS, type Migration, SCHEMA_VERSION } from './migrations.js';
import { TABLES } from './schema.js';
import { columnsOf, statementsOf, userVersion } from './schema-reading.js';
import { ADDABLE_COLUMNS } from './table-columns.js';

/** Whether `migrate` has anything to do; reads only. */
export function needsMigration(db: Database): boolean {
  return pendingMigrations(db).length > 0 || areDerivedObjectsOutdated(db);
}

/**
 * Brings a checked database up to date; to be called inside a write transaction. Rows stay as they
 * are. Derived objects are recreated if they are missing or another program changed them.
 */
export function migrate(db: Database): void {
  for (const migration of pendingMigrations(db)) migration.up(db);
  mendDerivedObjects(db);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** As `migrate`, but recreates all derived objects: one that looks right may still be damaged. */
export function migrateSuspect(db: Database): void {
  migrate(db);
  remakeDerivedObjects(db);
}

/** All migrations if another program has dropped a table or a column, even if `user_version` is current. */
function pendingMigrations(db: Database): readonly Migration[] {
  const version = isIncomplete(db) ? 0 : userVersion(db);
  return MIGRATIONS.filter((migration) => migration.version > version);
}

function isIncomplete(db: Database): boolean {
  const existing = statementsOf(db);
  return (
    Object.keys(TABLES).some((table) => !existing.has(table)) ||
    Object.entries(ADDABLE_COLUMNS).some(([table, columns]) => {
      const found = columnsOf(db, table).map(({ name }) => name);
      return Object.keys(columns).some((name) => !found.includes(name));
    })
  );
}
