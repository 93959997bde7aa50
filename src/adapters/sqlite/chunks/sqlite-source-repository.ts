import type { Database } from 'better-sqlite3';
import { type Chunk, SOURCE_TYPES, type SourceType } from '../../../domain/chunks/chunk.js';
import { CHARACTERS_PER_BUDGET_TOKEN } from '../../../domain/limits.js';
import type { ChunkEntry } from '../../../domain/overview/chunk-list.js';
import type { Supersession } from '../../../domain/saved/supersession.js';
import type { ContentStats } from '../../../domain/stats.js';
import type { Clock } from '../../../ports/clock.js';
import type {
  IndexedSource,
  ReplaceOutcome,
  SourceChange,
  SourceRepository,
} from '../../../ports/source-repository.js';
import { sizeOf } from '../database/files.js';
import { prepared } from '../database/prepared.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { catchUpSideWords } from '../keyword/side-words.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk, toIsoDate } from './chunk-rows.js';
import { contentHashOf } from './source-rows.js';
import { removeSource, writeSource } from './source-writer.js';

interface SourceRepositoryOptions {
  readonly projectPath: string;
  readonly clock: Clock;
}

/** The chunks of one project in SQLite. */
export class SqliteSourceRepository implements SourceRepository {
  readonly #database: SqliteDatabase;
  readonly #options: SourceRepositoryOptions;

  constructor(database: SqliteDatabase, options: SourceRepositoryOptions) {
    this.#database = database;
    this.#options = options;
  }

  replaceSources(changes: readonly SourceChange[]): Promise<readonly ReplaceOutcome[]> {
    return this.#database.write((db) => {
      const outcomes = changes.map((change) => this.#replace(db, change));
      catchUpSideWords(db);
      return outcomes;
    });
  }

  indexedSources(): Promise<readonly IndexedSource[]> {
    return this.#database.read((db) => prepared<[], IndexedSource>(db, INDEXED_SOURCES).all());
  }

  entries(): Promise<readonly ChunkEntry[]> {
    return this.#database.read((db) => prepared<[], EntryRow>(db, ENTRIES).all().map(entryOf));
  }

  supersessions(): Promise<readonly Supersession[]> {
    return this.#database.read((db) => prepared<[], Supersession>(db, SUPERSESSIONS).all());
  }

  getChunks(ids: readonly string[]): Promise<readonly Chunk[]> {
    return this.#database.read((db) =>
      db
        .prepare<[string], ChunkRow>(
          `SELECT ${CHUNK_COLUMNS} FROM json_each(?) j JOIN chunks c ON c.id = j.value ORDER BY j.key`,
        )
        .all(JSON.stringify(ids))
        .map(toChunk),
    );
  }

  stats(): Promise<ContentStats> {
    return this.#database.read(readStats);
  }

  #replace(
    db: Database,
    { sourceFile, document, unchanged = 'skip', isCurrent = () => true }: SourceChange,
  ): ReplaceOutcome {
    if (!isCurrent()) return 'changed';
    if (document === undefined) {
      removeSource(db, sourceFile);
      return 'gone';
    }
    const isSame = contentHashOf(db, sourceFile) === document.contentHash;
    if (isSame && unchanged === 'skip') return 'unchanged';
    const { projectPath, clock } = this.#options;
    writeSource(db, document, { projectPath, now: clock.now().toISOString(), unchanged });
    return 'indexed';
  }
}

const SUPERSESSIONS = 'SELECT source_file AS sourceFile, supersedes FROM store_supersessions';

const INDEXED_SOURCES = `SELECT s.source_type AS sourceType, s.source_file AS sourceFile,
    s.content_hash AS contentHash, s.chunk_count AS documentChunkCount,
    (SELECT count(*) FROM chunks c WHERE c.source_file = s.source_file) AS chunkCount
  FROM store_sources s`;

function readStats(db: Database): ContentStats {
  const lastUpdated = scalar<string | null>(db, 'SELECT max(updated_at) FROM chunks');
  return {
    totalChunks: scalar<number>(db, 'SELECT count(*) FROM chunks'),
    uniqueSources: scalar<number>(db, 'SELECT count(DISTINCT source_file) FROM chunks'),
    sourceTypeBreakdown: breakdown(db),
    ...(lastUpdated !== null && { lastUpdated: toIsoDate(lastUpdated) }),
    sizeBytes: db.memory ? scalar<number>(db, SIZE_IN_MEMORY) : sizeOf(db.name),
  };
}

const SIZE_IN_MEMORY = 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size';

function breakdown(db: Database): Readonly<Record<SourceType, number>> {
  const rows = prepared<[], readonly [type: string, count: number]>(
    db,
    'SELECT source_type, count(*) FROM chunks GROUP BY source_type',
  ).raw();
  const counts = new Map(rows.all());
  const entries = SOURCE_TYPES.map((type) => [type, counts.get(type) ?? 0] as const);
  return Object.fromEntries(entries) as Record<SourceType, number>;
}

function scalar<T>(db: Database, sql: string): T {
  return prepared<[], T>(db, sql).pluck().get() as T;
}

const ENTRIES = `SELECT c.id, c.source_type AS sourceType, c.source_file AS sourceFile,
    c.chunk_index AS chunkIndex, c.heading, c.importance, c.created_at AS createdAt, c.updated_at AS updatedAt,
    (length(c.content) + ${CHARACTERS_PER_BUDGET_TOKEN - 1}) / ${CHARACTERS_PER_BUDGET_TOKEN} AS tokens,
    c.retrieval_count AS retrievals, c.last_retrieved_at AS lastRetrievedAt
  FROM chunks c`;

interface EntryRow extends Omit<ChunkEntry, 'heading' | 'lastRetrievedAt'> {
  readonly heading: string | null;
  readonly lastRetrievedAt: string | null;
}

function entryOf({
  heading,
  lastRetrievedAt,
  createdAt,
  updatedAt,
  ...entry
}: EntryRow): ChunkEntry {
  return {
    ...entry,
    createdAt: toIsoDate(createdAt),
    updatedAt: toIsoDate(updatedAt),
    ...(heading !== null && { heading }),
    ...(lastRetrievedAt !== null && { lastRetrievedAt: toIsoDate(lastRetrievedAt) }),
  };
}
