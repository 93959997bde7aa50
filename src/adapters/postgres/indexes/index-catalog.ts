import { inTransaction, type Session } from '../database/session.js';

/** An index that only a large project needs, and whose absence only makes it slower. */
export interface OptionalIndex {
  /** With the run of the server at its end if it is only valid for that. */
  readonly name: string;
  readonly table: string;
  /** What follows `CREATE INDEX … ON <table>`. */
  readonly definition: string;
  /** Number of chunks from which it is made. */
  readonly fromChunks: number;
  /**
   * `run`: a part of it is only in the memory of the server. After a restart, or after another session rewrote the
   * table, it may return less, and writes into it may never end.
   */
  readonly validFor: 'ever' | 'run';
}

interface FoundIndex {
  readonly name: string;
  readonly isComplete: boolean;
  /** False after a restart of the server, or after the table was rewritten. */
  readonly isValid: boolean;
}

/** What there is of an index, also of other runs, and what is being made or is left over from that. */
export function findIndexes(
  session: Session,
  schema: string,
  { name, table, validFor }: OptionalIndex,
): Promise<readonly FoundIndex[]> {
  const isOfRun = `right(c.relname, 8) = ${RUN} AND pg_relation_filenode(c.oid) = c.oid`;
  return session.query<FoundIndex>(
    `SELECT c.relname::text AS name, i.indisvalid AS "isComplete",
       ${validFor === 'run' ? isOfRun : 'true'} AS "isValid"
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = '${schema}.${table}'::regclass AND strpos(c.relname, '${name}') > 0`,
  );
}

/** Another one after a restart or a crash, also one that ends only the sessions: PostgreSQL resets its statistics then. */
const RUN = `left(md5(concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
  extract(epoch FROM (pg_stat_get_wal()).stats_reset))), 8)`;

/** The full name of the one that can be read. */
export function usable({ name }: OptionalIndex, found: readonly FoundIndex[]): string | undefined {
  return found.find((one) => one.isComplete && one.isValid && one.name.startsWith(name))?.name;
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
 * What is there is dropped first: a damaged index would make writes fail meanwhile. The new one has another name until it
 * is complete, so that nobody reads it before.
 */
export async function makeIndex(
  session: Session,
  schema: string,
  { index, found }: { readonly index: OptionalIndex; readonly found: readonly FoundIndex[] },
): Promise<void> {
  const drop = () => dropIndexes(session, schema, found);
  await inTransaction(session, DROP_TIMEOUT_MS, drop);
  const [row] = await session.query<{ readonly run: string }>(`SELECT ${RUN} AS run`);
  const name = index.validFor === 'ever' ? index.name : `${index.name}_${row?.run}`;
  const on = `ON ${schema}.${index.table} ${index.definition}`;
  await session.execute(`SET lock_timeout = ${BUILD_LOCK_TIMEOUT_MS}`);
  await session.execute(`CREATE INDEX CONCURRENTLY new_${name} ${on}`);
  await session.execute(`ALTER INDEX ${schema}.new_${name} RENAME TO ${name}`);
}

/**
 * In a transaction. Not concurrently: pg_textsearch frees the memory of an index when the statement begins, and ends the
 * server if another session uses the index after that (its issue 506). So all wait until it is dropped.
 * @throws if a longer transaction keeps them waiting
 */
export async function dropIndexes(
  session: Session,
  schema: string,
  indexes: readonly FoundIndex[],
): Promise<void> {
  if (indexes.length === 0) return;
  const names = indexes.map(({ name }) => `${schema}.${name}`).join(', ');
  await session.execute(
    `SET LOCAL lock_timeout = ${DROP_TIMEOUT_MS}; DROP INDEX IF EXISTS ${names}`,
  );
}

const DROP_TIMEOUT_MS = 3000;
/** To make an index waits, while others work on, for every transaction that is older. */
const BUILD_LOCK_TIMEOUT_MS = 30_000;
