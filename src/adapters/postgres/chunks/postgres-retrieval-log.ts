import type { RetrievalLog } from '../../../ports/retrieval-log.js';
import { PromiseQueue } from '../../../shared/concurrency.js';
import type { ProjectContext } from '../database/project-context.js';

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

  async deleteUnretrieved(chunkIds: readonly string[]): Promise<readonly string[]> {
    const { database, schema } = this.#project;
    const rows = await database.transaction((session) =>
      session.query<{ readonly id: string }>(
        `DELETE FROM ${schema}.chunks c WHERE c.id = ANY($1) AND NOT EXISTS (
           SELECT 1 FROM ${schema}.retrievals r WHERE r.chunk_no = c.no AND r.retrieval_count > 0)
         RETURNING c.id`,
        [chunkIds],
      ),
    );
    return rows.map(({ id }) => id);
  }
}
