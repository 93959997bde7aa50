import type { Session } from '../connection/session.js';

export interface IndexState {
  readonly chunks: number;
  readonly indexes: readonly FoundIndex[];
}

interface FoundIndex {
  readonly name: string;
  readonly isValid: boolean;
  /** Made since the server was started, or has recovered from a crash, and in the same file since. */
  readonly isOfThisRun: boolean;
}

/**
 * Of an index in `pg_class c`, as text. After a crash, also one that restarts only the sessions, PostgreSQL
 * discards its statistics.
 */
const ORIGIN = `concat_ws(' ', c.relfilenode, extract(epoch FROM pg_postmaster_start_time()),
  (SELECT extract(epoch FROM stats_reset) FROM pg_stat_wal))`;

export async function readIndexState(session: Session, schema: string): Promise<IndexState> {
  const [row] = await session.query<{ readonly chunks: number }>(
    `SELECT count(*) AS chunks FROM ${schema}.chunks`,
  );
  const indexes = await session.query<FoundIndex>(
    `SELECT c.relname::text AS name, i.indisvalid AS "isValid",
       obj_description(c.oid, 'pg_class') IS NOT DISTINCT FROM ${ORIGIN} AS "isOfThisRun"
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = '${schema}'::regnamespace`,
  );
  return { chunks: row?.chunks ?? 0, indexes };
}

/** Writes down where and when an index was made, in a comment on it. */
export async function noteOrigin(session: Session, index: string): Promise<void> {
  const [row] = await session.query<{ readonly origin: string }>(
    `SELECT ${ORIGIN} AS origin FROM pg_class c WHERE c.oid = '${index}'::regclass`,
  );
  await session.execute(`COMMENT ON INDEX ${index} IS '${row?.origin}'`);
}
