import type { Database } from 'better-sqlite3';
import { KnowledgeError } from '../../../domain/errors.js';
import { SCHEMA_VERSION } from './migration.js';
import { quoted, refuseDatabase } from './refusal.js';
import { INDEXES, TABLES, TRIGGERS } from './schema.js';
import { objectsOf, type SchemaObject, tokensOf, userVersion } from './schema-reading.js';
import { checkForeignTable, checkTable } from './table-check.js';
import {
  HARMLESS_MODULES,
  SHADOW_TABLES,
  VIRTUAL_TABLES,
  type VirtualTable,
} from './virtual-tables.js';

/**
 * Refuses a database that is not safe to use. It may have come with somebody's repository, and SQLite
 * runs what its schema says: triggers, views, expressions of indexes, constraints and defaults. The
 * check itself reads `sqlite_master` and pragmas only, which run nothing (`docs/storage.md`, "What
 * opens, and what is refused").
 * @throws KnowledgeError `schema_too_new`, `store_unavailable`
 */
export function checkSchema(db: Database): void {
  checkVersion(userVersion(db));
  checkSize(db);
  checkRows(db);
  const objects = objectsOf(db);
  for (const object of objects) checkObject(object);
  for (const { name, sql } of objects.filter(isOrdinaryTable)) {
    if (Object.hasOwn(TABLES, name)) checkTable(db, name, tokensOf(sql ?? ''));
    else checkForeignTable(db, name);
  }
  checkKeys(db, objects);
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

function checkSize(db: Database): void {
  const [objects, bytes] = db
    .prepare('SELECT count(*), total(octet_length(name) + octet_length(sql)) FROM sqlite_master')
    .raw()
    .get() as readonly [number, number];
  if (objects > OBJECTS_MAX) refuseDatabase(`it has more than ${OBJECTS_MAX} tables and indexes`);
  if (bytes > SCHEMA_BYTES_MAX)
    refuseDatabase(`its schema is larger than ${SCHEMA_BYTES_MAX} bytes`);
}

/**
 * Refuses rows that SQLite never writes but reads all the same: it ignores the case of types and names, reads BLOBs as
 * text, and stops at a NUL, so that such a row would seem to be something else.
 */
function checkRows(db: Database): void {
  const odd = db
    .prepare(
      `SELECT 1 FROM sqlite_master
       WHERE type NOT IN ('table', 'index', 'trigger', 'view') OR typeof(type) <> 'text'
         OR ${isOdd('name')} OR ${isOdd('tbl_name')}
         OR ${isOdd('sql')} AND NOT (type = 'index' AND sql IS NULL)`,
    )
    .get();
  if (odd !== undefined) refuseDatabase('its schema has a row that SQLite would not write');
}

function isOdd(column: string): string {
  return `(typeof(${column}) <> 'text' OR instr(CAST(${column} AS BLOB), x'00') > 0)`;
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
  if (type === 'table') checkKindOfTable(object);
  if (type === 'index' && sql !== null && SHADOW_TABLES.has(object.tbl_name.toLowerCase())) {
    refuseDatabase(`it has an index ${quoted(name)} on a data table of an index`);
  }
}

/** What bytes become that are no text; a table with such a name could not be looked up by it. */
const NO_TEXT = '\uFFFD';

function checkKindOfTable({ name, sql }: SchemaObject): void {
  const module = moduleOf(sql);
  if (!isOfKnownKind(VIRTUALS.get(name), module, sql ?? '')) {
    refuseDatabase(`its table ${quoted(name)} is of another kind than expected`);
  }
  if (module !== undefined && Object.hasOwn(TABLES, name)) {
    refuseDatabase(`its table "${name}" is a virtual one`);
  }
  const shape = SHADOW_TABLES.get(name.toLowerCase());
  if (shape !== undefined && !shape.test(sql ?? '')) {
    refuseDatabase(`its table ${quoted(name)} is not one of an index`);
  }
}

function isOfKnownKind(
  expected: VirtualTable | undefined,
  module: string | undefined,
  sql: string,
): boolean {
  if (expected === undefined) return module === undefined || HARMLESS_MODULES.has(module);
  return expected.module === module && (expected.statement?.test(sql) ?? true);
}

const VIRTUALS: ReadonlyMap<string, VirtualTable> = new Map(Object.entries(VIRTUAL_TABLES));

/** Names as SQLite compares them: without regard to case. */
const OWN_OBJECTS: ReadonlyMap<string, { readonly name: string; readonly type: string }> = new Map(
  [
    ...Object.keys({ ...TABLES, ...VIRTUAL_TABLES }).map((name) => ({ name, type: 'table' })),
    ...Object.keys(INDEXES).map((name) => ({ name, type: 'index' })),
    ...Object.keys(TRIGGERS).map((name) => ({ name, type: 'trigger' })),
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
function checkKeys(db: Database, objects: readonly SchemaObject[]): void {
  if (!objects.some(({ name }) => name === 'chunks')) return;
  const found = db.prepare('SELECT 1 FROM chunks WHERE id IS NULL LIMIT 1').get();
  if (found !== undefined) refuseDatabase('its table "chunks" has a row without an id');
}
