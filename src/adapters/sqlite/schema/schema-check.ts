import type { Database } from 'better-sqlite3';
import { KnowledgeError } from '../../../domain/errors.js';
import { RETIRED } from './derived-objects.js';
import { SCHEMA_VERSION } from './migration.js';
import { INDEXES, TABLES, TRIGGERS, VIRTUAL_TABLES } from './schema.js';
import {
  objectsOf,
  quoted,
  refuseDatabase,
  type SchemaObject,
  tokensOf,
  userVersion,
} from './schema-reading.js';
import { checkColumns, TABLE_RULES } from './table-rules.js';

/**
 * Refuses a database that is not safe to use. It may have come with somebody's repository, and SQLite
 * runs what its schema says: triggers, views, expressions of indexes, constraints and defaults. The
 * check itself reads `sqlite_master` and pragmas only, which run nothing (`docs/storage.md`, "What
 * opens, and what is refused").
 * @throws KnowledgeError `schema_too_new`, `store_unavailable`
 */
export function checkSchema(db: Database): void {
  checkVersion(userVersion(db));
  checkRows(db);
  const objects = objectsOf(db);
  for (const object of objects) checkObject(object);
  const tables = objects.filter(isOrdinaryTable).map(({ name }) => name);
  const own = tables.filter((name) => Object.hasOwn(TABLES, name));
  for (const name of own) checkColumns(db, name);
  const parameters = {
    all: JSON.stringify(tables),
    own: JSON.stringify(own),
    foreign: JSON.stringify(tables.filter((name) => !own.includes(name))),
    names: JSON.stringify([...OWN_OBJECTS.keys()]),
  };
  for (const { find, reason } of TABLE_RULES) {
    const found = db.prepare<unknown[], readonly string[]>(find).raw().get(parameters);
    if (found !== undefined)
      refuseDatabase(`its table ${quoted(found[0])} ${reason(quoted(found[1]))}`);
  }
  if (own.includes('chunks')) checkKeys(db);
}

const OBJECTS_MAX = 1000;
const SCHEMA_BYTES_MAX = 1024 * 1024;

function checkVersion(version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new KnowledgeError(
    'schema_too_new',
    `The knowledge store was written by a newer version (schema ${version}, this one knows ${SCHEMA_VERSION}); update the service.`,
  );
}

/**
 * Refuses rows that SQLite never writes but reads all the same: it ignores the case of types and names, reads BLOBs as
 * text, and stops at a NUL, so that such a row would seem to be something else.
 */
function checkRows(db: Database): void {
  const isOdd = (column: string) =>
    `(typeof(${column}) <> 'text' OR instr(CAST(${column} AS BLOB), x'00') > 0)`;
  const [objects, bytes, odd] = db
    .prepare(
      `SELECT count(*), total(octet_length(name) + octet_length(sql)), total(
         type NOT IN ('table', 'index', 'trigger', 'view') OR typeof(type) <> 'text'
         OR ${isOdd('name')} OR ${isOdd('tbl_name')}
         OR ${isOdd('sql')} AND NOT (type = 'index' AND sql IS NULL))
       FROM sqlite_master`,
    )
    .raw()
    .get() as readonly [number, number, number];
  if (objects > OBJECTS_MAX) refuseDatabase(`it has more than ${OBJECTS_MAX} tables and indexes`);
  if (bytes > SCHEMA_BYTES_MAX)
    refuseDatabase(`its schema is larger than ${SCHEMA_BYTES_MAX} bytes`);
  if (odd > 0) refuseDatabase('its schema has a row that SQLite would not write');
}

function checkObject(object: SchemaObject): void {
  const { type, name, sql } = object;
  if (name.includes(NO_TEXT)) refuseDatabase(`the name of its ${type} ${quoted(name)} is no text`);
  const own = OWN_OBJECTS.get(name.toLowerCase());
  const isOwn = own !== undefined && own.name === name && own.type === type;
  if (type === 'view' || (type === 'trigger' && !isOwn)) {
    refuseDatabase(`it has an unknown ${type} ${quoted(name)}`);
  }
  if (own !== undefined && !isOwn) {
    refuseDatabase(`its ${type} ${quoted(name)} has the name of the ${own.type} "${own.name}"`);
  }
  if (type === 'table') checkTable(object);
  if (type === 'index' && sql !== null && SHADOW.test(object.tbl_name)) {
    refuseDatabase(`it has an index ${quoted(name)} on a data table of an index`);
  }
}

/** What bytes become that are no text; a table with such a name could not be looked up by it. */
const NO_TEXT = '\uFFFD';

function checkTable({ name, sql }: SchemaObject): void {
  const module = moduleOf(sql);
  const isOwn = Object.hasOwn(TABLES, name);
  const isShadow = SHADOW.test(name);
  const isAllowed = module === MODULES.get(name) || (module === 'fts5' && !isOwn && !isShadow);
  if (!isAllowed) refuseDatabase(`its table ${quoted(name)} is of another kind than expected`);
  const text = isOwn || isShadow ? tokensOf(sql ?? '').join(' ') : '';
  const [found] = (isShadow ? SHADOW_CONSTRAINTS : CONSTRAINTS).exec(text) ?? [];
  if (found !== undefined) refuseDatabase(`its table "${name}" has a constraint: ${found}`);
}

/** The tables in which FTS5 keeps our indexes. */
const SHADOW = new RegExp(`^(${Object.keys(VIRTUAL_TABLES).join('|')})_`, 'i');

/** What no pragma reports, so that only the CREATE statement shows it. */
const CONSTRAINTS = /\bCHECK \(|\bON CONFLICT (?!ABORT\b)|\bCOLLATE (?!BINARY\b)/;
const SHADOW_CONSTRAINTS = /\b(?:CHECK|DEFAULT|COLLATE|CONFLICT|REFERENCES|UNIQUE)\b/;

/** The modules of virtual tables with our names. */
const MODULES: ReadonlyMap<string, string> = new Map([
  ...Object.keys(VIRTUAL_TABLES).map((name) => [name, 'fts5'] as const),
  ['store_neighbours', 'vec0'],
]);

/** Names as SQLite compares them: without regard to case. */
const OWN_OBJECTS: ReadonlyMap<string, { readonly name: string; readonly type: string }> = new Map(
  [
    ...Object.keys({ ...TABLES, ...VIRTUAL_TABLES }).map((name) => ({ name, type: 'table' })),
    ...Object.keys(INDEXES).map((name) => ({ name, type: 'index' })),
    ...Object.keys(TRIGGERS).map((name) => ({ name, type: 'trigger' })),
    ...Object.entries(RETIRED).map(([name, type]) => ({ name, type })),
  ].map((own) => [own.name, own]),
);

/** The module of a virtual table; undefined for an ordinary table. */
function moduleOf(sql: string | null): string | undefined {
  const tokens = tokensOf(sql ?? '');
  if (tokens[1] !== 'VIRTUAL') return undefined;
  return tokens[tokens.indexOf('USING') + 1]?.toLowerCase();
}

function isOrdinaryTable({ type, sql }: SchemaObject): boolean {
  return type === 'table' && moduleOf(sql) === undefined;
}

/** SQLite lets a primary key be NULL, which names no chunk. */
function checkKeys(db: Database): void {
  const found = db.prepare('SELECT 1 FROM chunks WHERE id IS NULL LIMIT 1').get();
  if (found !== undefined) refuseDatabase('its table "chunks" has a row without an id');
}
