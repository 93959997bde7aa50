import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { RetrievalLog, UnretrievedChunk } from '../../../ports/retrieval-log.js';
import { prepared } from '../database/prepared.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { catchUpSideWords } from '../keyword/side-words.js';
import { toIsoDate } from './chunk-rows.js';
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

  findUnusedSince(before: Date): Promise<readonly UnretrievedChunk[]> {
    return this.#database.read((db) =>
      unretrievedChunks(db, before, { after: BEFORE_ALL, most: -1 }).map(withoutRow),
    );
  }

  /** Some at a time, so that other writers and the event loop need not wait for all; those used meanwhile are kept. */
  async deleteUnusedSince(before: Date, most: number): Promise<readonly UnretrievedChunk[]> {
    const deleted: UnretrievedChunk[] = [];
    let [after, isDone] = [BEFORE_ALL, false];
    while (!isDone && deleted.length < most) {
      const asked = Math.min(DELETED_AT_ONCE, most - deleted.length);
      const stale = await this.#database.write((db) => {
        const found = unretrievedChunks(db, before, { after, most: asked });
        deleteChunks(db, found);
        catchUpSideWords(db);
        return found;
      });
      deleted.push(...stale.map(withoutRow));
      after = stale.at(-1)?.row ?? after;
      isDone = stale.length < asked;
      await setImmediate();
    }
    return deleted;
  }
}

/** Chunk by chunk: a statement that updates several copies each of their pages, for the case that it fails half-way. */
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

const DELETED_AT_ONCE = 100;

/** Rowids may be negative. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** In the order of rows. Compares dates as points in time, because another program may write them in another format. */
function unretrievedChunks(
  db: Database,
  before: Date,
  { after, most }: { readonly after: number; readonly most: number },
): readonly (UnretrievedChunk & { readonly row: number })[] {
  return prepared<unknown[], UnretrievedChunk & { readonly row: number }>(
    db,
    `SELECT c.rowid AS row, c.id, c.source_file AS sourceFile,
       coalesce(c.last_retrieved_at, c.created_at) AS unusedSince
     FROM chunks c WHERE c.rowid > ? AND c.retrieval_count = 0
       AND round(unixepoch(coalesce(c.last_retrieved_at, c.created_at), 'subsec') * 1000) <= ?
     ORDER BY c.rowid LIMIT ?`,
  )
    .all(after, before.getTime(), most)
    .map((chunk) => ({ ...chunk, unusedSince: toIsoDate(chunk.unusedSince) }));
}

function withoutRow({
  row: _,
  ...chunk
}: UnretrievedChunk & { readonly row: number }): UnretrievedChunk {
  return chunk;
}
