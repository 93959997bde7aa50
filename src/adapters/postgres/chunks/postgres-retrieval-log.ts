import { PromiseQueue } from '../../../domain/promise-queue.js';
import type { RetrievalLog, UnretrievedChunk } from '../../../ports/retrieval-log.js';
import type { ProjectContext } from '../database/project-context.js';
import type { Session } from '../database/session.js';

/** Retrieval counts in a table of their own, so that a chunk is not indexed again for each of them. */
export class PostgresRetrievalLog implements RetrievalLog {
  readonly #project: ProjectContext;
  /** Where a lock is waited for, one connection waits, not one for each search. */
  readonly #writes = new PromiseQueue();

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  /**
   * Rows are taken in one order, so that two processes never wait for each other; the commit does not
   * wait for the disk, because the last counts before a crash are not worth a search's time.
   */
  async record(chunkIds: readonly string[], at: Date): Promise<void> {
    if (chunkIds.length === 0) return;
    const { database, schema } = this.#project;
    await this.#writes.run(() =>
      database.write(
        `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
         INSERT INTO ${schema}.retrievals AS r (chunk_no, retrieval_count, last_retrieved_at)
         SELECT c.no, count(*), $2 FROM relaxed, unnest($1::text[]) AS retrieved (id)
           JOIN ${schema}.chunks c ON c.id = retrieved.id GROUP BY c.no ORDER BY c.no
         ON CONFLICT (chunk_no) DO UPDATE
           SET retrieval_count = r.retrieval_count + excluded.retrieval_count,
           last_retrieved_at = excluded.last_retrieved_at`,
        [chunkIds, at],
      ),
    );
  }

  findUnusedSince(before: Date): Promise<readonly UnretrievedChunk[]> {
    const { database, schema } = this.#project;
    return database.read((session) => unretrievedChunks(session, { schema, before }));
  }

  deleteUnusedSince(before: Date, most: number): Promise<readonly UnretrievedChunk[]> {
    const { database, schema } = this.#project;
    return database.transaction(async (session) => {
      const stale = await unretrievedChunks(session, { schema, before, most }, 'FOR UPDATE OF c');
      const ids = stale.map(({ id }) => id);
      await session.query(`DELETE FROM ${schema}.chunks WHERE id = ANY($1)`, [ids]);
      return stale;
    });
  }
}

interface Staleness {
  readonly schema: string;
  readonly before: Date;
  readonly most?: number;
}

/** To the millisecond, because another program may have stored microseconds. */
async function unretrievedChunks(
  session: Session,
  { schema, before, most }: Staleness,
  lock = '',
): Promise<readonly UnretrievedChunk[]> {
  const rows = await session.query<StaleRow>(
    `SELECT c.id, c.source_file AS "sourceFile",
       coalesce(r.last_retrieved_at, c.created_at) AS "unusedSince"
     FROM ${schema}.chunks c LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no
     WHERE coalesce(r.retrieval_count, 0) = 0
       AND date_trunc('milliseconds', coalesce(r.last_retrieved_at, c.created_at)) <= $1
     ORDER BY c.no LIMIT $2 ${lock}`,
    [before, most ?? null],
  );
  return rows.map((row) => ({ ...row, unusedSince: row.unusedSince.toISOString() }));
}

interface StaleRow {
  readonly id: string;
  readonly sourceFile: string;
  readonly unusedSince: Date;
}
