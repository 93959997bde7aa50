import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { RetrievalLog } from '../../../ports/retrieval-log.js';
import { prepared } from '../database/prepared.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { catchUpSideWords } from '../keyword/side-words.js';
import { deleteChunks } from './source-writer.js';

/** Retrieval counts and dates, in two columns of `chunks`. */
export class SqliteRetrievalLog implements RetrievalLog {
  readonly #database: SqliteDatabase;
  /** What the next write takes with it. */
  #next: Batch | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Calls of the same turn of the event loop, and those that come while the lock is waited for, are one write. */
  record(chunkIds: readonly string[], at: Date): Promise<void> {
    if (chunkIds.length === 0) return Promise.resolve();
    this.#next ??= this.#newBatch();
    for (const id of chunkIds) {
      const times = (this.#next.counts.get(id)?.times ?? 0) + 1;
      this.#next.counts.set(id, { times, at });
    }
    return this.#next.written;
  }

  #newBatch(): Batch {
    const counts: Batch['counts'] = new Map();
    const close = () => {
      if (this.#next?.counts === counts) this.#next = undefined;
    };
    const written = setImmediate()
      .then(() =>
        this.#database.write((db) => {
          close();
          writeCounts(db, counts);
        }),
      )
      .finally(close);
    return { counts, written };
  }

  /** Searches of this process go on between the lists of a long pruning. */
  async deleteUnretrieved(chunkIds: readonly string[]): Promise<readonly string[]> {
    await setImmediate();
    return this.#database.write((db) => {
      const ids = prepared<[string], string>(db, UNRETRIEVED).pluck().all(JSON.stringify(chunkIds));
      deleteChunks(db, ids);
      catchUpSideWords(db);
      return ids;
    });
  }
}

const UNRETRIEVED = `SELECT c.id FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value
  WHERE c.retrieval_count = 0`;

/** One statement per row: a multi-row update makes SQLite copy every page it touches into a statement journal. */
function writeCounts(db: Database, counts: Batch['counts']): void {
  const count = prepared(
    db,
    'UPDATE chunks SET retrieval_count = retrieval_count + ?, last_retrieved_at = ? WHERE id = ?',
  );
  for (const [id, { times, at }] of counts) count.run(times, at.toISOString(), id);
}

interface Batch {
  readonly counts: Map<string, { readonly times: number; readonly at: Date }>;
  readonly written: Promise<void>;
}
