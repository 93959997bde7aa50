import { runApart } from '../process/database-process.js';
import { isOwnSchema } from '../schema/own-schema.js';
import { type Connection, copyInMemory, openFile, readingConnection } from './connection.js';
import { isFull } from './errors.js';
import { readSize } from './files.js';
import { readHeader } from './header.js';
import type { SeenDatabases } from './seen-databases.js';

interface ReadingOptions {
  readonly path: string;
  readonly seen: SeenDatabases;
  readonly stopWaiting: AbortSignal;
}

/**
 * Opens a database that cannot be written. Where it has a log, it is copied into memory if only the space is lacking.
 * @throws the cause if it cannot be opened so either
 */
export async function openForReading(options: ReadingOptions, cause: unknown): Promise<Connection> {
  const { path, seen } = options;
  if (readHeader(path) !== 'own') throw cause;
  const hasLog = ['-wal', '-journal'].some((suffix) => readSize(path + suffix) > 0);
  const isSeen = seen.has(path);
  if (hasLog && !(isSeen && isFull(cause))) throw cause;
  if (!isSeen && !(await isSound(options))) throw cause;
  seen.add(path);
  const db = hasLog ? copyInMemory(path) : openFile(path, 'unchanging');
  if (isOwnSchema(db)) return readingConnection(db, path);
  db.close();
  throw cause;
}

async function isSound({ path, stopWaiting }: ReadingOptions): Promise<boolean> {
  const { isOwn, damage } = await runApart('checkUnchanging', path, stopWaiting);
  return isOwn && damage.length === 0;
}
