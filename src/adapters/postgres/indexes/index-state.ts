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

export async function readIndexState(session: Session, schema: string): Promise<IndexState> {
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
export async function noteOrigin(session: Session, index: string): Promise<void> {
  const [row] = await session.query<{ readonly origin: string }>(
    `SELECT ${originOf('found')} AS origin FROM to_regclass('${index}') found`,
  );
  await session.execute(`COMMENT ON INDEX ${index} IS '${row?.origin}'`);
}
