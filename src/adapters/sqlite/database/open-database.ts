import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import type { Adoption, AdoptionTarget } from '../adoption/adopt.js';
import { replacing } from '../adoption/replace-database.js';
import { resultOf, runStatement } from '../process/database-process.js';
import { type PageVerdict, SOUND } from '../process/long-statements.js';
import { createSchema, isEmpty, isOwnSchema } from '../schema/own-schema.js';
import { type Connection, copyConnection, fileConnection, openFile } from './connection.js';
import { isDamage, isNotWritable } from './errors.js';
import { createFile, fileId, mayWrite, sizeOf } from './files.js';
import { lockLimit, type RetryLimit, retryWhileBusy } from './statements.js';
import { NEEDS_REINDEXING, setState } from './store-state.js';

export interface OpenOptions extends Omit<AdoptionTarget, 'file'> {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Ends the wait for a lock that another process holds. */
  readonly stopWaiting: AbortSignal;
  /** `always` for a database that proved to be damaged while it was open. */
  readonly verification: 'always' | 'after an unclean end';
}

/**
 * Opens a database with the schema of this release; one with another schema is adopted, a damaged one is set aside, and a missing
 * one is created. In a directory that cannot be written, a copy in memory is opened for reading.
 */
export async function openDatabase(options: OpenOptions): Promise<Connection> {
  const { path, stopWaiting, verification } = options;
  const limit = lockLimit(stopWaiting);
  try {
    const file = fileId(path);
    const verdict = await verdictOn(options, limit);
    if (verdict.damage.length > 0) await setAside({ ...options, file }, 'corrupt');
    const connection = await openedOrAdopted(options, limit);
    const isIndexDoubtful = verification === 'always' || verdict.fullText.length > 0;
    if (isIndexDoubtful) await runStatement('rebuild', path, limit);
    return connection;
  } catch (error) {
    if (!isNotWritable(error) || sizeOf(path) === 0 || mayWrite(path)) throw error;
    return openedCopy(options, error);
  }
}

async function openedOrAdopted(options: OpenOptions, limit: RetryLimit): Promise<Connection> {
  const file = fileId(options.path);
  const found = await opened(options, limit);
  if (found !== undefined) return found;
  await adopted({ ...options, file });
  const connection = await opened(options, limit);
  if (connection !== undefined) return connection;
  throw new KnowledgeError(
    'store_unavailable',
    'The knowledge store was replaced by another program while it was opened; try again.',
  );
}

/** Undefined where the database has another schema. */
async function opened(options: OpenOptions, limit: RetryLimit): Promise<Connection | undefined> {
  const file = fileId(options.path);
  try {
    return await retryWhileBusy(() => openedForWriting(options), limit);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  await setAside({ ...options, file }, 'corrupt');
  return retryWhileBusy(() => openedForWriting(options), limit);
}

function openedForWriting({ path }: OpenOptions): Connection | undefined {
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

/** Reads every page if it is asked to, or if a log is left and nobody else has it open: then it was not closed. */
async function verdictOn(
  { path, verification }: OpenOptions,
  limit: RetryLimit,
): Promise<PageVerdict> {
  const isLeft = sizeOf(`${path}-wal`) > 0 && sizeOf(path) > 0;
  if (verification !== 'always' && !isLeft) return SOUND;
  try {
    return await runStatement(verification === 'always' ? 'check' : 'checkAlone', path, limit);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { damage: [reasonOf(error)], fullText: [] };
  }
}

/** Copies the rows of the database into a new one, in another process, because reading may take long. */
async function adopted(options: OpenOptions & AdoptionTarget): Promise<void> {
  const { path, file, projectPath, model, dimensions, logger, stopWaiting } = options;
  const target: AdoptionTarget = { path, file, projectPath, model, dimensions };
  try {
    const adoption = await resultOf({ kind: 'adopt', target }, stopWaiting);
    if (adoption === undefined) return; // by another process
    const message = 'The knowledge store had another schema: its rows were copied into a new one.';
    logger.warn(message, { projectPath, ...(adoption as Adoption) });
  } catch (error) {
    const isTooSlow = error instanceof KnowledgeError && error.code === 'not_readable';
    if (!isTooSlow && !isDamage(error)) throw error;
    await setAside(options, isTooSlow ? 'replaced' : 'corrupt');
  }
}

/** Puts an empty database in its place, which the service fills from the sources. */
async function setAside(
  { path, file, projectPath, logger, clock }: OpenOptions & AdoptionTarget,
  as: 'corrupt' | 'replaced',
): Promise<void> {
  const replacement = await replacing(path, file);
  if (replacement === undefined) return;
  try {
    setState(replacement.db, NEEDS_REINDEXING, '');
    const aside = replacement.takePlace(as, clock.now());
    const message =
      'The knowledge store cannot be read: it is set aside, and its sources are indexed again.';
    logger.error(message, { projectPath, aside });
  } finally {
    replacement.abandon();
  }
}

function openedCopy({ path }: OpenOptions, cause: unknown): Connection {
  if (['-wal', '-journal'].some((suffix) => sizeOf(path + suffix) > 0)) throw cause;
  const copy = copyConnection(path);
  if (isOwnSchema(copy.db)) return copy;
  copy.close();
  throw cause;
}
