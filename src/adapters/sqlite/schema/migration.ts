import type { Database } from 'better-sqlite3';
import {
  areDerivedObjectsOutdated,
  remakeDerivedObjects,
  repairDerivedObjects,
} from './derived-objects.js';
import { TABLES } from './schema.js';
import { columnsOf, statementsOf, userVersion } from './schema-reading.js';

/**
 * Written to `user_version`; a database with a higher one belongs to a newer release. To be raised with each change of
 * the schema: whatever a file of a lower version lacks is added, and all that is derived from the tables is made again.
 */
export const SCHEMA_VERSION = 6;

/** The columns that files of other programs may lack, with the table that gets them. */
const ADDED_COLUMNS = [
  ['chunks', 'hype_queries', 'TEXT'],
  ['chunks', 'hype_embeddings', 'BLOB'],
] as const;

/** Whether a file may lack this column of ours, which is then added. */
export function isAddable(table: string, column: string): boolean {
  return ADDED_COLUMNS.some(([of, name]) => of === table && name === column);
}

/** Whether `migrate` has anything to do; reads only. */
export function needsMigration(db: Database): boolean {
  return isOutdated(db) || areDerivedObjectsOutdated(db);
}

/**
 * Brings a checked database up to date; to be called inside a write transaction. Rows stay as they
 * are. Derived objects are recreated if they are missing or another program changed them.
 */
export function migrate(db: Database): void {
  const isBehind = isOutdated(db);
  for (const statement of missingParts(db)) db.exec(statement);
  if (isBehind) remakeDerivedObjects(db);
  else repairDerivedObjects(db);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** As `migrate`, but recreates all derived objects: one that looks right may still be damaged. */
export function migrateSuspect(db: Database): void {
  migrate(db);
  remakeDerivedObjects(db);
}

function isOutdated(db: Database): boolean {
  return userVersion(db) < SCHEMA_VERSION || missingParts(db).length > 0;
}

/** Statements that make the tables and the columns that are missing. */
function missingParts(db: Database): readonly string[] {
  const existing = statementsOf(db);
  const tables = Object.entries(TABLES).filter(([name]) => !existing.has(name));
  const columns = ADDED_COLUMNS.filter(
    ([table, name]) =>
      existing.has(table) && columnsOf(db, table).every((column) => column.name !== name),
  );
  return [
    ...tables.map(([, sql]) => sql),
    ...columns.map(([table, name, type]) => `ALTER TABLE ${table} ADD COLUMN ${name} ${type}`),
  ];
}
