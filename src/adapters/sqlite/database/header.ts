import { closeSync, constants, openSync, readSync } from 'node:fs';
import { isOpenHere } from '../../../shared/opened-databases.js';
import { fileId } from './files.js';
import { APPLICATION_ID, assertNotNewer, SCHEMA_VERSION } from './own-schema.js';

/**
 * The kinds of headers of a database file. `own`: it has our name and the version of this release. `open here`: it is
 * not read, because this process has the file open.
 */
export type Header = 'empty' | 'own' | 'other' | 'open here';

/**
 * Reads the first bytes of a database without SQLite, which would parse its schema (sqlite.org/fileformat.html).
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
