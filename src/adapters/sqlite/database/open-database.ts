import { errorReason, KnowledgeError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import type { AdoptionTarget } from '../adoption/adopt.js';
import type { AsideKind } from '../adoption/asides.js';
import { replacing } from '../adoption/replace-database.js';
import { adoptApart, runApart, runStatement } from '../process/database-process.js';
import { type PageVerdict, SOUND } from '../process/long-statements.js';
import {
  type Connection,
  copyInMemory,
  fileConnection,
  openFile,
  REPLACED_WHILE_OPENED,
  readingConnection,
} from './connection.js';
import { isDamage, isFull, isNotWritable, unavailable } from './errors.js';
import { createFile, fileId, mayWrite, readSize } from './files.js';
import { createSchema, isEmpty, isOwnSchema, readHeader } from './own-schema.js';
import type { SeenDatabases } from './seen-databases.js';
import { lockLimit, type RetryLimit, retryWhileBusy } from './statements.js';
import { NEEDS_REINDEXING, setState } from './store-state.js';

export interface OpenOptions extends Omit<AdoptionTarget, 'file'> {
  readonly model: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Aborting it ends the wait for a lock that another process holds. */
  readonly stopWaiting: AbortSignal;
  readonly seen: SeenDatabases;
  /** How long checking a database that this machine has not seen may take; default: by its size. */
  readonly checkLimitMs?: number | undefined;
}

/**
 * Opens a database with the schema of this release. Adopts a database with another schema, sets a damaged one aside,
 * and creates a missing one. Opens it for reading only if it cannot be written, because of permissions or a full disk.
 */
export async function openDatabase(options: OpenOptions): Promise<Connection> {
  const { path, stopWaiting, seen } = options;
  const limit = lockLimit(stopWaiting);
  try {
    const connection = await openForWriting(options, limit);
    seen.add(path);
    return connection;
  } catch (error) {
    const isReadable = isFull(error) || (isNotWritable(error) && !mayWrite(path));
    if (!isReadable || readSize(path) === 0) throw error;
    return retryWhileBusy(() => openForReading(options, error), limit);
  }
}

async function openForWriting(options: OpenOptions, limit: RetryLimit): Promise<Connection> {
  const { path } = options;
  createFile(path);
  const file = fileId(path);
  const verdict = await examineFile(options, limit);
  if (!verdict.isOwn) await adopt({ ...options, file });
  if (verdict.damage.length > 0) await setAside({ ...options, file }, 'corrupt');
  const connection = await openOwn(options, limit);
  if (connection === undefined) throw unavailable(REPLACED_WHILE_OPENED);
  if (verdict.fullText.length > 0) await runStatement('rebuild', path, limit);
  return connection;
}

/**
 * Checks a database before it is opened. A separate process checks a file that this machine has not seen before, or
 * that proved to be damaged.
 */
async function examineFile(options: OpenOptions, limit: RetryLimit): Promise<PageVerdict> {
  const { path, seen, stopWaiting, checkLimitMs } = options;
  const header = readHeader(path);
  if (header === 'empty') return SOUND;
  if (header === 'other') return { ...SOUND, isOwn: false };
  try {
    if (!seen.has(path))
      return await runApart('check', path, { signal: stopWaiting, limitMs: checkLimitMs });
    // A log may mean that the database was not closed; `checkAlone` skips the check if another process has it open.
    return readSize(`${path}-wal`) > 0 ? await runStatement('checkAlone', path, limit) : SOUND;
  } catch (error) {
    if (!isDamage(error) && !isTooSlow(error)) throw error;
    return { ...SOUND, damage: [errorReason(error)] };
  }
}

/**
 * Opens a database that was examined. Sets it aside if it is damaged after all, and adopts it if another program has
 * changed its schema since.
 */
async function openOwn(options: OpenOptions, limit: RetryLimit): Promise<Connection | undefined> {
  const file = fileId(options.path);
  try {
    const connection = await retryWhileBusy(() => openNow(options), limit);
    if (connection !== undefined) return connection;
    await adopt({ ...options, file });
  } catch (error) {
    if (!isDamage(error)) throw error;
    await setAside({ ...options, file }, 'corrupt');
  }
  return retryWhileBusy(() => openNow(options), limit);
}

/** Opens the database; undefined if it has another schema. */
function openNow({ path }: OpenOptions): Connection | undefined {
  createFile(path);
  const db = openFile(path);
  let connection: Connection | undefined;
  try {
    if (isEmpty(db)) createSchema(db);
    if (!isOwnSchema(db)) return undefined;
    db.pragma('journal_mode = WAL');
    connection = fileConnection(db, path);
    return connection;
  } finally {
    if (connection === undefined) db.close();
  }
}

/**
 * Copies the rows of the database into a new one, in another process. Sets it aside if it is damaged or takes too long
 * to read.
 */
async function adopt(options: OpenOptions & AdoptionTarget): Promise<void> {
  const { path, file, projectPath, model, dimensions, logger, stopWaiting } = options;
  try {
    const target = { path, file, projectPath, model, dimensions };
    const adoption = await adoptApart(target, stopWaiting);
    if (adoption === undefined) return; // another process has adopted it
    const message =
      'The knowledge store had another schema, so its rows were copied into a new one.';
    logger.warn(message, { projectPath, ...adoption });
  } catch (error) {
    if (!isTooSlow(error) && !isDamage(error)) throw error;
    await setAside(options, isTooSlow(error) ? 'replaced' : 'corrupt');
  }
}

/**
 * Whether reading the database would take too long. Another program may have built it that way, to block its project.
 */
function isTooSlow(error: unknown): boolean {
  return error instanceof KnowledgeError && error.code === 'not_readable';
}

/** Replaces the database with an empty one, which the service fills from the sources. */
async function setAside(
  { path, file, projectPath, logger, clock }: OpenOptions & AdoptionTarget,
  as: AsideKind,
): Promise<void> {
  const replacement = await replacing(path, file);
  if (replacement === undefined) return;
  try {
    setState(replacement.db, NEEDS_REINDEXING, '');
    const aside = replacement.takePlace(as, clock.now());
    if (aside === undefined) return;
    const message =
      'The knowledge store cannot be read, so it is set aside, and its sources are indexed again.';
    logger.error(message, { projectPath, aside });
  } finally {
    replacement.abandon();
  }
}

interface ReadingOptions {
  readonly path: string;
  readonly seen: SeenDatabases;
  readonly stopWaiting: AbortSignal;
}

/**
 * Opens a database that cannot be written. One with a log is copied into memory, but only if disk space is all that is
 * lacking.
 * @throws the cause if reading is not possible either
 */
async function openForReading(options: ReadingOptions, cause: unknown): Promise<Connection> {
  const { path, seen } = options;
  if (readHeader(path) !== 'own') throw cause;
  const hasLog = ['-wal', '-journal'].some((suffix) => readSize(path + suffix) > 0);
  const isSeen = seen.has(path);
  if (hasLog && !(isSeen && isFull(cause))) throw cause;
  if (!isSeen && !(await isSound(options))) throw cause;
  seen.add(path);
  const db = hasLog ? copyInMemory(path) : openFile(path, 'unchanging');
  if (isOwnSchema(db)) return readingConnection(db, path, cause);
  db.close();
  throw cause;
}

async function isSound({ path, stopWaiting }: ReadingOptions): Promise<boolean> {
  const { isOwn, damage } = await runApart('checkUnchanging', path, { signal: stopWaiting });
  return isOwn && damage.length === 0;
}
