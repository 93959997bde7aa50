import type { Database } from 'better-sqlite3';
import { isAddable } from './migration.js';
import { TABLES } from './schema.js';
import { type Column, columnsOf, quoted, refuseDatabase } from './schema-reading.js';

/** What no table may have: `find` returns the name of a table, and what of it is refused. */
interface TableRule {
  /** May use lists as JSON: `@all` tables, the `@own` ones, the `@foreign` ones, all our `@names` in small letters. */
  readonly find: string;
  readonly reason: (what: string) => string;
}

const tables = (which: string) => `SELECT t.value, l.name FROM json_each(@${which}) t`;
const indexes = (which: string) => `${tables(which)} JOIN pragma_index_list(t.value) l`;
const foreignKeys = (which: string) =>
  `SELECT t.value, k."from" FROM json_each(@${which}) t JOIN pragma_foreign_key_list(t.value) k`;

/** In tables of other programs only what SQLite runs when it writes or checks our own. */
export const TABLE_RULES: readonly TableRule[] = [
  {
    find: `${tables('all')} JOIN pragma_table_xinfo(t.value) l WHERE l.hidden > 0`,
    reason: (column) => `has a generated column ${column}`,
  },
  {
    find: `${indexes('all')} WHERE l.partial
      OR EXISTS (SELECT 1 FROM pragma_index_xinfo(l.name) WHERE cid = -2)`,
    reason: (index) => `has an index ${index} of an expression`,
  },
  {
    find: `${foreignKeys('foreign')} WHERE lower(k."table") IN (SELECT value FROM json_each(@names))`,
    reason: (column) => `has a foreign key on ${column} to a table of this service`,
  },
  {
    find: `${foreignKeys('own')} WHERE NOT (t.value <> 'chunks' AND k."from" = 'chunk_id'
      AND lower(k."table") = 'chunks' AND coalesce(k."to", 'id') = 'id'
      AND k.on_update IN ('NO ACTION', 'CASCADE')
      AND k.on_delete IN ('NO ACTION', 'CASCADE', 'RESTRICT'))`,
    reason: (column) => `has an unknown foreign key on ${column}`,
  },
  {
    find: `${indexes('own')} WHERE l."unique" AND l.origin <> 'pk'`,
    reason: (index) => `has an index ${index} that is UNIQUE`,
  },
  {
    find: `${indexes('own')} WHERE EXISTS (SELECT 1 FROM pragma_index_xinfo(l.name)
      WHERE upper(coll) NOT IN ('BINARY', 'NOCASE', 'RTRIM'))`,
    reason: (index) => `has an index ${index} with an unknown collation`,
  },
  {
    find: `${tables('own')} JOIN pragma_table_list(t.value) l WHERE l.wr`,
    reason: () => 'has no rowids',
  },
];

/**
 * Refuses a table that has the name of one of this service's tables, but would change or reject what is written into it.
 * @throws KnowledgeError `store_unavailable`
 */
export function checkColumns(db: Database, table: string): void {
  const columns = columnsOf(db, table);
  const own = COLUMNS.get(table) ?? new Map<string, string>();
  const missing = [...own.keys()].filter(
    (name) => !isAddable(table, name) && !columns.some((column) => column.name === name),
  );
  if (missing.length > 0) {
    refuseDatabase(`its table "${table}" has no column "${missing.join('", "')}"`);
  }
  const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const [first] = own.keys();
  if (key.length !== 1 || key[0] !== first) {
    refuseDatabase(`its table "${table}" has another primary key than "${first}"`);
  }
  for (const column of columns) {
    const flaw = flawOf(column, own.get(column.name));
    if (flaw === undefined) continue;
    refuseDatabase(`its table "${table}" has a column ${quoted(column.name)} ${flaw}`);
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

/** @param own the type of a column of ours */
function flawOf(column: Column, own: string | undefined): string | undefined {
  if (own !== undefined && !isFit(column.type, own)) return 'of another type';
  if (own === undefined && column.notnull === 1 && column.dflt_value === null) {
    return 'that must be filled';
  }
  return isHarmless(column.dflt_value ?? 'NULL') ? undefined : 'with an unsafe default';
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
  return value.length <= LONGEST_DEFAULT && HARMLESS.test(value.replaceAll(TEXT, "''"));
}

const LONGEST_DEFAULT = 200;
const TEXT = /'(?:[^']|'')*'|"[^"]*"/g;
const HARMLESS =
  /^\s*(?:x?''|[a-z_]+|[+-]?\s*[\d.]+(?:e[+-]?\d+)?|(?:date|time|datetime|strftime|unixepoch|julianday)\((?:\s*'',?)*\s*\))\s*$/i;
