import type { Database } from 'better-sqlite3';
import { headOf } from '../../../domain/chunks/text.js';
import { KnowledgeError } from '../../../domain/errors.js';

/** A row of `sqlite_master`. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  /** The table that an index or a trigger belongs to. */
  readonly tbl_name: string;
  /** Null for an index that a constraint made. */
  readonly sql: string | null;
}

/** A row of `pragma_table_xinfo`. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  /** Place in the primary key, from 1; 0 outside it. */
  readonly pk: number;
  /** Above 0 for a generated column. */
  readonly hidden: number;
}

export function userVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

export function objectsOf(db: Database): readonly SchemaObject[] {
  return db.prepare<[], SchemaObject>('SELECT type, name, tbl_name, sql FROM sqlite_master').all();
}

/** The CREATE statements of all objects that have one, by their names. */
export function statementsOf(db: Database): ReadonlyMap<string, string | null> {
  return new Map(objectsOf(db).map(({ name, sql }) => [name, sql]));
}

export function columnsOf(db: Database, table: string): readonly Column[] {
  return db.prepare<[string], Column>('SELECT * FROM pragma_table_xinfo(?)').all(table);
}

/**
 * The words of a CREATE statement that SQLite has accepted: bare words in upper case, quoted names and
 * literals as `''`, and single characters for all else. Comments are left out.
 */
export function tokensOf(sql: string): readonly string[] {
  return [...sql.matchAll(TOKEN)].flatMap(([token]) => {
    if (token.startsWith('--') || token.startsWith('/*')) return [];
    return [/^['"`[]/.test(token) ? "''" : token.toUpperCase()];
  });
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\u0080-\uffff]+|\S/g;

/**
 * Refuses to open a database. `reason` completes the sentence "The file is not a knowledge store: …".
 * @throws KnowledgeError `store_unavailable`, always
 */
export function refuseDatabase(reason: string): never {
  throw new KnowledgeError(
    'store_unavailable',
    `The file knowledge.db is not a knowledge store: ${reason}; move it away to start a new one.`,
  );
}

/** A name found in a database file, quoted for a message: cut to 80 characters, control characters escaped. */
export function quoted(name: string | undefined): string {
  return JSON.stringify(headOf(name ?? '', LONGEST_NAME));
}

const LONGEST_NAME = 80;
