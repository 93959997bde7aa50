import { closeSync, constants, openSync, readSync } from 'node:fs';
import { KnowledgeError } from '../../../domain/errors.js';
import { isOpenHere } from '../../../shared/opened-databases.js';
import { STATEMENTS } from '../schema/schema.js';
import { type Database, openDatabase } from './driver.js';
import { fileId } from './files.js';

/** Identifies our databases: the letters "KSTO" in `application_id`. */
export const APPLICATION_ID = 0x4b53544f;

/**
 * Schema version in `user_version`, raised with each change to the schema. A database with a higher one belongs to a
 * newer release.
 */
export const SCHEMA_VERSION = 14;

/** Creates the schema in an empty database, in one transaction. */
export function createSchema(db: Database): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    if (isEmpty(db)) {
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${SCHEMA_VERSION}`);
      for (const sql of STATEMENTS) db.exec(sql);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

export function isEmpty(db: Database): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

/**
 * Whether a database has exactly the schema of this release. A schema that another program made may define anything;
 * SQLite parses it here, but runs none of it.
 * @throws KnowledgeError `schema_too_new`
 */
export function isOwnSchema(db: Database): boolean {
  const version = readPragma(db, 'user_version');
  if (readPragma(db, 'application_id') !== APPLICATION_ID || version < SCHEMA_VERSION) return false;
  assertNotNewer(version);
  ownObjects ??= listObjects(createInMemory());
  return listObjects(db) === ownObjects;
}

/** @throws KnowledgeError `schema_too_new` */
export function assertNotNewer(version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new KnowledgeError(
    'schema_too_new',
    `The knowledge store was written by a newer version (schema ${version}, this one knows ${SCHEMA_VERSION}); update the service.`,
  );
}

/** Our schema as this version of SQLite stores it, including the tables of FTS5. */
let ownObjects: string | undefined;

/** A database in memory with the schema. */
export function createInMemory(): Database {
  const db = openDatabase(':memory:');
  createSchema(db);
  return db;
}

/** Lists all objects of a schema, except the statistics of ANALYZE. */
function listObjects(db: Database): string {
  const objects = `SELECT type, name, tbl_name, sql FROM sqlite_schema
    WHERE name NOT GLOB 'sqlite_stat*' ORDER BY type, name`;
  return JSON.stringify(db.prepare(objects).raw().all());
}

function readPragma(db: Database, pragma: 'application_id' | 'user_version'): number {
  return Number(db.pragma(pragma, { simple: true }));
}

/**
 * Kinds of database headers. `own`: it has our application id and the schema version of this release. `open here`: it
 * was not read, because this process has the file open.
 */
export type Header = 'empty' | 'own' | 'other' | 'open here';

/**
 * Reads the header of a database without SQLite, which would parse its schema (sqlite.org/fileformat.html).
 * @throws KnowledgeError `schema_too_new`
 */
export function readHeader(path: string): Header {
  if (isOpenHere(fileId(path))) return 'open here';
  const bytes = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const count = readSync(descriptor, bytes, 0, HEADER_BYTES, 0);
    if (count === 0) return 'empty';
  } finally {
    closeSync(descriptor);
  }
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return 'other';
  if (bytes.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) return 'other';
  const version = bytes.readInt32BE(USER_VERSION_AT);
  assertNotNewer(version);
  return version === SCHEMA_VERSION ? 'own' : 'other';
}

const HEADER_BYTES = 100;
const MAGIC = Buffer.from('SQLite format 3\0');
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
