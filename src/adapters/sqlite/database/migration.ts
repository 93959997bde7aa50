import type { Database } from 'better-sqlite3';
import { KnowledgeError } from '../../../domain/errors.js';
import {
  ADDABLE_COLUMNS,
  FULL_TEXT_INDEX,
  INDEXES,
  SCHEMA_VERSION,
  TABLES,
  TRIGGERS,
} from './schema.js';

/**
 * Refuses a database that is not ours to open. It may have come with somebody's repository, so it is
 * judged object by object: tables by their columns, and no trigger or view but those we know.
 * @throws KnowledgeError `schema_too_new`, `store_unavailable`
 */
export function judgeSchema(db: Database): void {
  const version = userVersion(db);
  if (version > SCHEMA_VERSION) {
    throw new KnowledgeError(
      'schema_too_new',
      `The knowledge store was written by a newer version (schema ${version}, this one knows ${SCHEMA_VERSION}); update the service.`,
    );
  }
  for (const { type, name, sql } of objectsOf(db)) {
    const known =
      type === 'table' || type === 'index' || (type === 'trigger' && Object.hasOwn(TRIGGERS, name));
    if (!known) refuse(`it has an unknown ${type} "${name}"`);
    if (type === 'table' && Object.hasOwn(TABLES, name)) judgeTable(db, name, sql);
  }
}

/** Whether `migrate` has anything to do; reads only. */
export function needsMigration(db: Database): boolean {
  if (userVersion(db) < SCHEMA_VERSION) return true;
  const objects = new Map(objectsOf(db).map(({ name, sql }) => [name, sql]));
  return (
    Object.keys(TABLES).some((name) => !objects.has(name)) ||
    Object.entries({ ...TRIGGERS, chunks_fts: FULL_TEXT_INDEX }).some(
      ([name, sql]) => normalize(objects.get(name)) !== normalize(sql),
    )
  );
}

/**
 * Brings a judged database up to date; to be called inside a write transaction. Rows stay as they
 * are. The full-text index and its triggers are made anew, whatever made them before; the index of
 * Chinese, Japanese and Korean is made by whoever needs it next.
 */
export function migrate(db: Database): void {
  const existing = new Set(objectsOf(db).map(({ name }) => name));
  for (const [name, sql] of Object.entries(TABLES)) if (!existing.has(name)) db.exec(sql);
  const columns = new Set(columnsOf(db, 'chunks').map(({ name }) => name));
  for (const [name, sql] of Object.entries(ADDABLE_COLUMNS)) if (!columns.has(name)) db.exec(sql);
  for (const sql of INDEXES) db.exec(sql);
  for (const [name, sql] of Object.entries(TRIGGERS))
    db.exec(`DROP TRIGGER IF EXISTS ${name}; ${sql}`);
  db.exec(`DROP TABLE IF EXISTS chunks_fts; ${FULL_TEXT_INDEX}`);
  db.exec("INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild')");
  db.exec('DROP TABLE IF EXISTS store_cjk');
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

interface SchemaObject {
  readonly type: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  readonly sql: string | null;
}

interface Column {
  readonly name: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
  /** Above 0 for a generated column. */
  readonly hidden: number;
}

function userVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function objectsOf(db: Database): readonly SchemaObject[] {
  return db.prepare<[], SchemaObject>('SELECT type, name, sql FROM sqlite_master').all();
}

function columnsOf(db: Database, table: string): readonly Column[] {
  return db.prepare<[string], Column>('SELECT * FROM pragma_table_xinfo(?)').all(table);
}

function judgeTable(db: Database, table: string, sql: string | null): void {
  const columns = columnsOf(db, table);
  const required = columnNames(TABLES[table] ?? '').filter(
    (name) => !Object.hasOwn(ADDABLE_COLUMNS, name),
  );
  const missing = required.filter((name) => !columns.some((column) => column.name === name));
  if (missing.length > 0) refuse(`its table "${table}" has no column "${missing.join('", "')}"`);
  const odd = columns.find((column) => column.hidden > 0 || cannotBeLeftOut(column, required));
  if (odd !== undefined) refuse(`its table "${table}" has an unknown column "${odd.name}"`);
  if (!columns.some(({ name, pk }) => name === required[0] && pk === 1)) {
    refuse(`its table "${table}" has another primary key than "${required[0]}"`);
  }
  if (/without\s+rowid/i.test(sql ?? '')) refuse(`its table "${table}" has no rowids`);
}

function cannotBeLeftOut(column: Column, known: readonly string[]): boolean {
  return !known.includes(column.name) && column.notnull === 1 && column.dflt_value === null;
}

/** The names that begin the lines of a CREATE TABLE of ours. */
function columnNames(sql: string): readonly string[] {
  return [...sql.matchAll(/^ {4}(\w+) /gm)].map((match) => match[1] as string);
}

function normalize(sql: string | null | undefined): string {
  return (sql ?? '').replace(/\s+/g, ' ').trim();
}

function refuse(why: string): never {
  throw new KnowledgeError(
    'store_unavailable',
    `The file knowledge.db is not a knowledge store: ${why}; move it away to start a new one.`,
  );
}
