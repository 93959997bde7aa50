import type { Database } from 'better-sqlite3';
import {
  areDerivedObjectsOutdated,
  remakeDerivedObjects,
  repairDerivedObjects,
} from './derived-objects.js';
import { FILL_TYPES, FORGET_CODES, TABLES } from './schema.js';
import { columnsOf, statementsOf, userVersion } from './schema-reading.js';

/** A step from one version of the schema to the next. */
export interface Migration {
  /** What `user_version` is afterwards. */
  readonly version: number;
  readonly description: string;
  /**
   * Runs once the tables and columns of the current schema exist; they may run again over what they made, as they do where
   * another program has dropped a table. Indexes, triggers and full-text indexes are derived from the tables
   * (`derived-objects.ts`), and made after all migrations.
   */
  readonly sql: string;
}

/** In order; a new version of the schema is one more entry. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    description: 'the tables of the first release, with or without those of another program',
    sql: 'DROP TABLE IF EXISTS chunks_fts',
  },
  {
    version: 2,
    description: 'versions that former releases kept',
    sql: "DELETE FROM store_state WHERE name IN ('embeddings_version', 'hype_embeddings_version')",
  },
  { version: 3, description: 'the source types of the chunks by their rows', sql: FILL_TYPES },
  {
    version: 4,
    description: 'the citations of the chunks, which the next ingestion finds',
    sql: 'DELETE FROM store_citations WHERE chunk_id NOT IN (SELECT id FROM chunks)',
  },
  { version: 5, description: 'the sources that replace another one', sql: '' },
  {
    version: 6,
    description: 'the codes of the vectors, and what the index of CJK does not know',
    sql: FORGET_CODES,
  },
];

/** Written to `user_version`; a database with a higher one belongs to a newer release. */
export const SCHEMA_VERSION = Math.max(...MIGRATIONS.map(({ version }) => version));

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
  return pendingMigrations(db).length > 0 || areDerivedObjectsOutdated(db);
}

/**
 * Brings a checked database up to date; to be called inside a write transaction. Rows stay as they
 * are. Derived objects are recreated if they are missing or another program changed them.
 */
export function migrate(db: Database): void {
  const pending = pendingMigrations(db);
  for (const statement of missingParts(db)) db.exec(statement);
  for (const { sql } of pending) db.exec(sql);
  repairDerivedObjects(db);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** As `migrate`, but recreates all derived objects: one that looks right may still be damaged. */
export function migrateSuspect(db: Database): void {
  migrate(db);
  remakeDerivedObjects(db);
}

/** All migrations if another program has dropped a table or a column, even if `user_version` is current. */
function pendingMigrations(db: Database): readonly Migration[] {
  const version = missingParts(db).length > 0 ? 0 : userVersion(db);
  return MIGRATIONS.filter((migration) => migration.version > version);
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
