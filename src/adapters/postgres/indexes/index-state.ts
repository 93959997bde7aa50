import type { ProjectContext } from '../database/project-database.js';
import type { Session } from '../database/session.js';

export interface IndexState {
  readonly chunks: number;
  readonly indexes: readonly FoundIndex[];
}

export interface FoundIndex {
  readonly name: string;
  /** Another one after the index was made again, by whomever, and after a restart of the server. */
  readonly identity: string;
  readonly isValid: boolean;
  /** Made since the server was started, or has recovered from a crash, and in the same file since. */
  readonly isOfThisRun: boolean;
}

/** The state of the indexes of a project, read at most every ten seconds, because it counts all chunks. */
export class KnownIndexState {
  readonly #project: ProjectContext;
  #known: Known | undefined;
  /** Number of connections when the indexes were last seen to be of this run. */
  #lookedAt = -1;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  /** As it is now. */
  read(): Promise<IndexState> {
    const { database, schema } = this.#project;
    return database.read((session) => readIndexState(session, schema));
  }

  /** At most ten seconds old, and not older than the newest connection, which may lead to a restarted server. */
  recent(): Promise<IndexState> {
    const { clock, database } = this.#project;
    const [now, connections] = [clock.monotonic(), database.connectionsMade];
    const isOld = this.#known === undefined || now - this.#known.at > LIFE_MS;
    if (isOld || this.#known?.connections !== connections) {
      const value = this.read();
      this.#known = { at: now, connections, value };
      value.catch(() => this.forget());
    }
    return this.#known.value;
  }

  /**
   * Whether one of these indexes is there from before a restart of the server. Looked at once for each new connection,
   * which may lead to a restarted server.
   */
  async haveOutlived(session: Session, names: readonly string[]): Promise<boolean> {
    const { database, schema } = this.#project;
    const connections = database.connectionsMade;
    if (connections === this.#lookedAt) return false;
    const found = await readIndexes(session, schema);
    if (found.some(({ name, isOfThisRun }) => !isOfThisRun && names.includes(name))) return true;
    this.#lookedAt = connections;
    return false;
  }

  /** It is read again when it is asked for next. */
  forget(): void {
    this.#known = undefined;
  }
}

interface Known {
  readonly at: number;
  /** How many were made until then. */
  readonly connections: number;
  readonly value: Promise<IndexState>;
}

const LIFE_MS = 10_000;

async function readIndexState(session: Session, schema: string): Promise<IndexState> {
  const [row] = await session.query<{ readonly chunks: number }>(
    `SELECT count(*) AS chunks FROM ${schema}.chunks`,
  );
  return { chunks: row?.chunks ?? 0, indexes: await readIndexes(session, schema) };
}

export function readIndexes(session: Session, schema: string): Promise<readonly FoundIndex[]> {
  return session.query<FoundIndex>(
    `SELECT c.relname::text AS name, ${identityOf('c.oid')} AS identity, i.indisvalid AS "isValid",
       obj_description(c.oid, 'pg_class') IS NOT DISTINCT FROM ${originOf('c.oid')} AS "isOfThisRun"
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = '${schema}'::regnamespace`,
  );
}

/** Of an index that may be missing; takes no longer than the shortest statement. */
export async function readIdentity(session: Session, index: string): Promise<string | undefined> {
  const [row] = await session.query<{ readonly identity: string }>(
    `SELECT ${identityOf('found')} AS identity FROM to_regclass('${index}') found`,
  );
  return row?.identity;
}

/** Writes down where and when an index was made, in a comment on it. */
async function noteOrigin(session: Session, index: string): Promise<void> {
  const [row] = await session.query<{ readonly origin: string }>(
    `SELECT ${originOf('found')} AS origin FROM to_regclass('${index}') found`,
  );
  await session.execute(`COMMENT ON INDEX ${index} IS '${row?.origin}'`);
}

/**
 * Of an index, by an expression for its number: in which file it is, and in which run of the server. After a crash, also
 * one that restarts only the sessions, PostgreSQL discards its statistics.
 */
function originOf(index: string): string {
  return `concat_ws(' ', pg_relation_filenode(${index}), extract(epoch FROM pg_postmaster_start_time()),
    extract(epoch FROM (pg_stat_get_wal()).stats_reset))`;
}

function identityOf(index: string): string {
  return `concat_ws(' ', ${index}::oid, ${originOf(index)})`;
}

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
