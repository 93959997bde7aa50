import type { Database } from 'better-sqlite3';
import type { RetrievalLog, StaleChunk } from '../../../ports/driven/retrieval-log.js';
import { prepared } from '../database/prepared.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { changeChunks } from '../keyword/cjk-index.js';
import { HAS_ID, toIsoDate } from '../rows/chunk-rows.js';
import { deleteChunks } from './source-writer.js';

/** Retrieval counts and dates, in two columns of `chunks`. */
export class SqliteRetrievalLog implements RetrievalLog {
  readonly #database: ProjectDatabase;

  constructor(database: ProjectDatabase) {
    this.#database = database;
  }

  async record(chunkIds: readonly string[], at: Date): Promise<void> {
    if (chunkIds.length === 0) return;
    await this.#database.write((db) =>
      prepared(
        db,
        `UPDATE chunks SET retrieval_count = retrieval_count + 1, last_retrieved_at = ?
         WHERE id IN (SELECT value FROM json_each(?))`,
      ).run(at.toISOString(), JSON.stringify(chunkIds)),
    );
  }

  findUnusedSince(before: Date): Promise<readonly StaleChunk[]> {
    return this.#database.read((db) => staleChunks(db, before));
  }

  deleteUnusedSince(before: Date): Promise<readonly StaleChunk[]> {
    return this.#database.write(async (db) => {
      const stale = staleChunks(db, before);
      const ids = stale.map(({ id }) => id);
      await changeChunks(db, () => deleteChunks(db, ids));
      return stale;
    });
  }
}

/** Compares dates as points in time, because another program may write them in another format. */
function staleChunks(db: Database, before: Date): readonly StaleChunk[] {
  return db
    .prepare<[number], StaleChunk>(
      `SELECT c.id, CAST(c.source_file AS TEXT) AS sourceFile,
         CAST(coalesce(c.last_retrieved_at, c.created_at) AS TEXT) AS unusedSince
       FROM chunks c WHERE ${HAS_ID} AND c.retrieval_count = 0
         AND round(unixepoch(coalesce(c.last_retrieved_at, c.created_at), 'subsec') * 1000) <= ?
       ORDER BY c.rowid`,
    )
    .all(before.getTime())
    .map((chunk) => ({ ...chunk, unusedSince: toIsoDate(chunk.unusedSince) }));
}
