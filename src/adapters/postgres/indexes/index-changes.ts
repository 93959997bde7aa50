import type { Session } from '../database/session.js';
import { noteOrigin } from './index-state.js';

/** Whether this session is the only one that makes indexes, until its connection is closed. */
export async function isOnlyMaker(session: Session, schema: string): Promise<boolean> {
  const [row] = await session.query<{ readonly locked: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
    [`knowledge_store ${schema} indexes`],
  );
  return row?.locked === true;
}

/**
 * What is there is dropped first: a damaged index would make writes fail meanwhile. The new one has another name
 * until it is complete: pg_textsearch 0.6 finds nothing in an index that is being filled, or ends the server.
 */
export async function makeIndex(
  session: Session,
  schema: string,
  { name, definition }: { readonly name: string; readonly definition: string },
): Promise<void> {
  const unfinished = unfinishedName(name);
  for (const former of [name, unfinished]) await drop(session, `${schema}.${former}`);
  await session.execute(`CREATE INDEX CONCURRENTLY ${unfinished} ${definition}`);
  await noteOrigin(session, `${schema}.${unfinished}`);
  await session.execute(`ALTER INDEX ${schema}.${unfinished} RENAME TO ${name}`);
}

/** Also drops what is left of indexes that were being made; what another session is making is left alone. */
export async function dropIndexes(
  session: Session,
  schema: string,
  names: readonly string[],
): Promise<void> {
  const leftovers = (await isOnlyMaker(session, schema)) ? names.map(unfinishedName) : [];
  for (const name of [...names, ...leftovers]) await drop(session, `${schema}.${name}`);
}

function unfinishedName(name: string): string {
  return `${name}_unfinished`;
}

/**
 * Not concurrently: pg_textsearch 0.6 frees the memory of an index when the statement begins, and ends the server if
 * another session reads or writes the index after that (its issue 506). So nobody may: all wait until it is dropped.
 * @throws if a longer transaction keeps them waiting
 */
async function drop(session: Session, index: string): Promise<void> {
  await session.execute(`SET lock_timeout = ${DROPPING_TIMEOUT_MS}`);
  await session.execute(`DROP INDEX IF EXISTS ${index}`);
  await session.execute(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
}

/** To make an index waits, while others work on, for every transaction that is older. */
const LOCK_TIMEOUT_MS = 30_000;
const DROPPING_TIMEOUT_MS = 3000;
