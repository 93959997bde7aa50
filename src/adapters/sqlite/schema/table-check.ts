import type { Database } from 'better-sqlite3';
import { isAddable } from './migration.js';
import { quoted, refuseDatabase } from './refusal.js';
import { TABLES } from './schema.js';
import { type Column, columnsOf } from './schema-reading.js';

/**
 * Refuses a table that has the name of one of this service's tables, but would change or reject what
 * is written into it, or run code of another program when it is written or read.
 * @param tokens the SQL tokens of its CREATE statement
 * @throws KnowledgeError `store_unavailable`
 */
export function checkTable(db: Database, table: string, tokens: readonly string[]): void {
  const columns = columnsOf(db, table);
  checkColumns(table, columns);
  for (const column of columns) checkColumn(table, column);
  checkConstraints(table, tokens);
  for (const index of indexesOf(db, table)) checkIndex(table, index);
  for (const key of foreignKeysOf(db, table)) checkForeignKey(table, key);
  const hasRowids = db.prepare('SELECT 1 FROM pragma_table_list(?) WHERE wr = 0').get(table);
  if (hasRowids === undefined) refuseDatabase(`its table "${table}" has no rowids`);
}

/**
 * Refuses a table of another program that SQLite would involve when it writes or checks the tables of
 * this service: by a foreign key to one of them, by a generated column, or by an index of an expression.
 * @throws KnowledgeError `store_unavailable`
 */
export function checkForeignTable(db: Database, table: string): void {
  for (const { parent } of foreignKeysOf(db, table)) {
    if (Object.hasOwn(TABLES, parent.toLowerCase())) {
      refuseDatabase(`its table ${quoted(table)} has a foreign key to "${parent.toLowerCase()}"`);
    }
  }
  for (const index of indexesOf(db, table)) {
    if (hasExpression(index)) refuseExpression(table, index);
  }
  const generated = columnsOf(db, table).find(({ hidden }) => hidden > 0);
  if (generated !== undefined) {
    refuseDatabase(`its table ${quoted(table)} has a generated column ${quoted(generated.name)}`);
  }
}

function checkColumns(table: string, columns: readonly Column[]): void {
  const own = [...(COLUMNS.get(table)?.keys() ?? [])];
  const missing = own.filter(
    (name) => !isAddable(table, name) && !columns.some((column) => column.name === name),
  );
  if (missing.length > 0) {
    refuseDatabase(`its table "${table}" has no column "${missing.join('", "')}"`);
  }
  const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  if (key.length !== 1 || key[0] !== own[0]) {
    refuseDatabase(`its table "${table}" has another primary key than "${own[0]}"`);
  }
}

/**
 * The declared types of our columns by their names; the first is the primary key. In maps, because a name in an untrusted
 * file may be one that every object inherits.
 */
const COLUMNS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(TABLES).map(([table, sql]) => [
    table,
    new Map(
      [...sql.matchAll(/^ +(\w+) ([A-Z]+)/gm)].map(([, name = '', type = '']) => [name, type]),
    ),
  ]),
);

function checkColumn(table: string, column: Column): void {
  const type = COLUMNS.get(table)?.get(column.name);
  const what = `its table "${table}" has a column ${quoted(column.name)}`;
  if (type !== undefined && !isFit(column.type, type)) {
    refuseDatabase(`${what} of another type`);
  }
  if (type === undefined && column.notnull === 1 && column.dflt_value === null) {
    refuseDatabase(`${what} that must be filled`);
  }
  if (column.hidden > 0) refuseDatabase(`${what} that is generated`);
  if (!isHarmless(column.dflt_value ?? 'NULL')) refuseDatabase(`${what} with an unsafe default`);
}

/** Whether a declared type stores the values of a column of ours unchanged. */
function isFit(declared: string, own: string): boolean {
  const [found, expected] = [affinityOf(declared), affinityOf(own)];
  return found === expected || (found === 'numeric' && ['integer', 'real'].includes(expected));
}

/** SQLite's own rules, in their order (sqlite.org/datatype3.html). */
function affinityOf(type: string): string {
  return AFFINITIES.find(([pattern]) => pattern.test(type))?.[1] ?? 'numeric';
}

const AFFINITIES = [
  [/INT/i, 'integer'],
  [/CHAR|CLOB|TEXT/i, 'text'],
  [/BLOB|^$/i, 'blob'],
  [/REAL|FLOA|DOUB/i, 'real'],
] as const;

/** Whether a default is a literal or the current time, and short, because it may be stored in every row. */
function isHarmless(value: string): boolean {
  return value.length <= LONGEST_DEFAULT && HARMLESS_DEFAULTS.some((form) => form.test(value));
}

const LONGEST_DEFAULT = 200;
const HARMLESS_DEFAULTS = [
  /^(?:NULL|TRUE|FALSE|CURRENT_TIME|CURRENT_DATE|CURRENT_TIMESTAMP)$/i,
  /^[+-]?\s*(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i,
  /^(?:'(?:[^']|'')*'|"[^"]*"|x'[\da-f]*')$/i,
  /^(?:date|time|datetime|strftime|unixepoch|julianday)\(\s*(?:'[^']*'\s*,?\s*)*\)$/i,
];

/** Refuses constraints that no pragma reports, so that only the CREATE statement shows them. */
function checkConstraints(table: string, tokens: readonly string[]): void {
  const text = tokens.join(' ');
  for (const [name, pattern] of Object.entries(CONSTRAINTS)) {
    if (pattern.test(text)) refuseDatabase(`its table "${table}" has ${name}`);
  }
}

const CONSTRAINTS: Readonly<Record<string, RegExp>> = {
  'a CHECK constraint': /\bCHECK \(/,
  'an ON CONFLICT clause': /\bON CONFLICT (?!ABORT\b)/,
  'a collation': /\bCOLLATE (?!BINARY\b)/,
};

interface Index {
  readonly name: string;
  readonly unique: number;
  /** `c` for one made by CREATE INDEX, `u` by UNIQUE, `pk` by PRIMARY KEY. */
  readonly origin: string;
  readonly partial: number;
  readonly expressions: number;
  readonly oddCollations: number;
}

function indexesOf(db: Database, table: string): readonly Index[] {
  return db
    .prepare<[string], Index>(
      `SELECT l.name, l."unique", l.origin, l.partial,
         (SELECT count(*) FROM pragma_index_xinfo(l.name) WHERE cid = -2) AS expressions,
         (SELECT count(*) FROM pragma_index_xinfo(l.name)
          WHERE upper(coll) NOT IN ('BINARY', 'NOCASE', 'RTRIM')) AS oddCollations
       FROM pragma_index_list(?) l`,
    )
    .all(table);
}

function checkIndex(table: string, index: Index): void {
  const what = `its table "${table}" has an index ${quoted(index.name)}`;
  if (hasExpression(index)) refuseExpression(table, index);
  if (index.unique > 0 && index.origin !== 'pk') refuseDatabase(`${what} that is UNIQUE`);
  if (index.oddCollations > 0) refuseDatabase(`${what} with an unknown collation`);
}

function hasExpression({ expressions, partial }: Index): boolean {
  return expressions > 0 || partial > 0;
}

function refuseExpression(table: string, { name }: Index): never {
  refuseDatabase(`its table ${quoted(table)} has an index ${quoted(name)} of an expression`);
}

interface ForeignKey {
  readonly parent: string;
  readonly column: string;
  /** Null if the key refers to the primary key of `parent` without naming it. */
  readonly parentColumn: string | null;
  readonly onUpdate: string;
  readonly onDelete: string;
}

function foreignKeysOf(db: Database, table: string): readonly ForeignKey[] {
  return db
    .prepare<[string], ForeignKey>(
      `SELECT "table" AS parent, "from" AS "column", "to" AS parentColumn, on_update AS onUpdate, on_delete AS onDelete
       FROM pragma_foreign_key_list(?)`,
    )
    .all(table);
}

/** Allows a foreign key to `chunks.id` that deletes and updates no more than this service's own keys do. */
function checkForeignKey(table: string, key: ForeignKey): void {
  const isKnown =
    table !== 'chunks' &&
    key.column === 'chunk_id' &&
    key.parent.toLowerCase() === 'chunks' &&
    (key.parentColumn ?? 'id') === 'id' &&
    ['NO ACTION', 'CASCADE'].includes(key.onUpdate) &&
    ['NO ACTION', 'CASCADE', 'RESTRICT'].includes(key.onDelete);
  if (!isKnown) {
    refuseDatabase(`its table "${table}" has an unknown foreign key on ${quoted(key.column)}`);
  }
}
