import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { ChunkEntry } from '../../../domain/overview/chunk-list.js';
import type { ContentStats } from '../../../domain/overview/stats.js';
import type { Clock } from '../../../ports/clock.js';
import type {
  IndexedSource,
  ReplaceOutcome,
  SourceChange,
  SourceRepository,
  SourceSelection,
  StoredChunk,
} from '../../../ports/source-repository.js';
import { inRowParts } from '../database/row-parts.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { prepareOnce } from '../database/statements.js';
import { readEntries, readStats } from './chunk-counts.js';
import { readLines } from './chunk-lines.js';
import { CHUNK_COLUMNS, type ChunkRow, parseStrings, toChunk } from './chunk-rows.js';
import { replaceSources } from './replace-sources.js';
import { catchUpSideWords } from './side-words.js';
import { foreignFiles, forgetNames } from './source-rows.js';
import { deleteChunks } from './source-writer.js';

interface SourceRepositoryOptions {
  readonly projectPath: string;
  /** Only vectors of this model are restored. */
  readonly model: string;
  readonly clock: Clock;
}

/** The chunks of one project in SQLite. */
export class SqliteSourceRepository implements SourceRepository {
  readonly #database: SqliteDatabase;
  readonly #options: SourceRepositoryOptions;
  /** Retrieval counts that the next write will store. */
  #next: Batch | undefined;

  constructor(database: SqliteDatabase, options: SourceRepositoryOptions) {
    this.#database = database;
    this.#options = options;
  }

  replaceSources(changes: readonly SourceChange[]): Promise<readonly ReplaceOutcome[]> {
    return this.#database.write((db) => {
      const { projectPath, model, clock } = this.#options;
      const context = { projectPath, model, now: clock.now().toISOString() };
      const outcomes = replaceSources(db, changes, context);
      catchUpSideWords(db);
      return outcomes;
    });
  }

  findLines(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#database.read((db) => readLines(db, ids));
  }

  /** Reads the whole list in parts, like `entries`. */
  async indexedSources(which: SourceSelection = 'all'): Promise<readonly IndexedSource[]> {
    if (which !== 'all') {
      return this.#database.read((db) =>
        prepareOnce<[], SourceRow>(db, INDEXED_SOURCES[which]).all().map(toSource),
      );
    }
    const parts = await inRowParts(this.#database, 'store_sources', (db, part) =>
      prepareOnce<unknown[], SourceRow>(db, `${EVERY_SOURCE} WHERE ${part.condition('s')}`)
        .all(part.parameters)
        .map(toSource),
    );
    return parts.flat();
  }

  /** Reads in parts, so that the event loop runs in between. The list may or may not include concurrent writes. */
  async entries(): Promise<readonly ChunkEntry[]> {
    const entries: ChunkEntry[] = [];
    for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined; ) {
      const from: number = after;
      const part = await this.#database.read((db) => readEntries(db, from));
      entries.push(...part.entries);
      after = part.last;
      await setImmediate();
    }
    return entries;
  }

  sourceFiles(): Promise<readonly string[]> {
    return this.#database.read((db) =>
      prepareOnce<[], string>(db, 'SELECT DISTINCT source_file FROM chunks').pluck().all(),
    );
  }

  getChunks(ids: readonly string[], also?: 'questions'): Promise<readonly StoredChunk[]> {
    return this.#database.read((db) =>
      prepareOnce<[string], ChunkRow & { readonly hype_queries: string | null }>(db, CHUNKS)
        .all(JSON.stringify(ids))
        .map((row) => ({
          ...toChunk(row),
          ...(also && { questions: parseStrings(row.hype_queries) }),
        })),
    );
  }

  stats(): Promise<ContentStats> {
    return this.#database.read(readStats);
  }

  /**
   * Combines all calls of one turn of the event loop, and those that arrive while it waits for the lock, into one
   * write.
   */
  record(chunkIds: readonly string[], at: Date): Promise<void> {
    if (chunkIds.length === 0) return Promise.resolve();
    this.#next ??= this.#newBatch();
    for (const id of chunkIds) {
      const times = (this.#next.counts.get(id)?.times ?? 0) + 1;
      this.#next.counts.set(id, { times, at });
    }
    return this.#next.written;
  }

  /** Yields to the event loop first, so that searches can run between the batches of a long pruning. */
  async deleteChunks(chunkIds: readonly string[], unusedSince?: Date): Promise<readonly string[]> {
    await setImmediate();
    return this.#database.write((db) => {
      const find = prepareOnce<[string, string | null, string | null], string>(
        db,
        DELETABLE,
      ).pluck();
      const since = unusedSince?.toISOString() ?? null;
      const ids = find.all(JSON.stringify(chunkIds), since, since);
      const files = foreignFiles(db, ids);
      deleteChunks(db, ids, this.#options.clock.now().toISOString());
      forgetNames(db, files);
      catchUpSideWords(db);
      return ids;
    });
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
}

const CHUNKS = `SELECT ${CHUNK_COLUMNS}, c.hype_queries FROM json_each(?) j
  JOIN chunks c ON c.id = j.value ORDER BY j.key`;

interface SourceRow extends Omit<IndexedSource, 'supersedes' | 'expires'> {
  readonly supersedes: string | null;
  readonly expires: string | null;
}

function toSource({ supersedes, expires, ...source }: SourceRow): IndexedSource {
  return {
    ...source,
    ...(supersedes !== null && { supersedes }),
    ...(expires !== null && { expires }),
  };
}

const SOURCE_COLUMNS = `s.source_type AS sourceType, s.source_file AS sourceFile,
  s.content_hash AS contentHash, s.chunk_count AS documentChunkCount, s.expires, p.supersedes,
  (SELECT count(*) FROM chunks c WHERE c.source_file = s.source_file) AS chunkCount`;

const EVERY_SOURCE = `SELECT ${SOURCE_COLUMNS} FROM store_sources s
  LEFT JOIN store_supersessions p USING (source_file)`;

const INDEXED_SOURCES = {
  expiring: `${EVERY_SOURCE} WHERE s.expires IS NOT NULL`,
  superseding: `SELECT ${SOURCE_COLUMNS} FROM store_supersessions p JOIN store_sources s USING (source_file)`,
} as const;

const DELETABLE = `SELECT c.id FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value
  WHERE ? IS NULL OR (c.retrieval_count = 0 AND c.updated_at < ?)`;

/** One statement per row: a multi-row update makes SQLite copy every page it touches into a statement journal. */
function writeCounts(db: Database, counts: Batch['counts']): void {
  const count = prepareOnce(
    db,
    'UPDATE chunks SET retrieval_count = retrieval_count + ?, last_retrieved_at = ? WHERE id = ?',
  );
  for (const [id, { times, at }] of counts) count.run(times, at.toISOString(), id);
}

interface Batch {
  readonly counts: Map<string, { readonly times: number; readonly at: Date }>;
  readonly written: Promise<void>;
}
