import { readFileSync } from 'node:fs';
import { checkSchema } from '../schema/schema-check.js';
import { type ConnectionSettings, configured } from './configured.js';
import { Database } from './driver.js';
import {
  asideName,
  type FileIdentity,
  isSameFile,
  logOf,
  moveLogAway,
  sizeOf,
} from './file-identity.js';
import { checkPages } from './page-check.js';
import { isDamage, isForeignSchema } from './sqlite-errors.js';
import { openFile } from './store-files.js';
import { isCheckedFile } from './store-state.js';

interface LogOptions extends ConnectionSettings {
  readonly clock: { now(): Date };
}

/**
 * Reads every page before SQLite applies to the file what another process may have left behind, and returns whether the database is
 * suspect. A connection that cannot write leaves the log as it is when it is closed.
 *
 * A log that belongs to another database is moved away, because SQLite would apply it, or delete it beside an empty file. That is
 * assumed if there is no database, or if the database is sound without the log, and with it is damaged or says that it is
 * another file.
 */
export function isSuspectForLog(
  path: string,
  identity: FileIdentity,
  options: LogOptions,
): boolean {
  if (sizeOf(logOf(path)) === 0) return false;
  if (sizeOf(path) > 0) {
    const found = soundness(() => openFile(path, { access: 'read' }), path, options);
    if (found !== 'foreign') return found === 'suspect';
    if (soundness(() => withoutLog(path), path, options) === 'foreign') return true;
  }
  beginAgainUnless(isSameFile(path, identity));
  moveLogAway(path, identity, asideName(path, 'replaced', options.clock.now()));
  return true;
}

/** The opening is tried again, with the files that are there by then. */
export function beginAgainUnless(isSame: boolean): void {
  if (isSame) return;
  throw new Database.SqliteError('The database was replaced while it was opened.', 'SQLITE_BUSY');
}

/** `foreign`: it is damaged, or does not say that it was checked as the file of this path. */
type Soundness = 'sound' | 'suspect' | 'foreign';

function soundness(open: () => Database, path: string, options: LogOptions): Soundness {
  let db: Database | undefined;
  try {
    db = open();
    checkSchema(configured(db, options));
    const { damage, fullText } = checkPages(db, 'quick_check');
    if (damage.length > 0 || !isCheckedFile(db, path)) return 'foreign';
    return fullText.length > 0 ? 'suspect' : 'sound';
  } catch (error) {
    if (isDamage(error) || isForeignSchema(error)) return 'foreign';
    throw error;
  } finally {
    db?.close();
  }
}

/** A copy of the file in memory. */
export function withoutLog(path: string): Database {
  const image = readFileSync(path);
  image.subarray(...JOURNAL_VERSION_BYTES).fill(ROLLBACK_JOURNAL); // a damaged file may be shorter
  return new Database(image, { readonly: true });
}

/** Bytes 18 and 19 of the header say which journal reads and writes the file (sqlite.org/fileformat.html). */
const JOURNAL_VERSION_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;
