import type { Database } from 'better-sqlite3';
import {
  type Chunk,
  SOURCE_TYPES,
  type SourceDocument,
  type SourceType,
} from '../../../domain/chunks/chunk.js';
import type { Supersession } from '../../../domain/saved/supersession.js';
import type { ContentStats } from '../../../domain/stats.js';
import type {
  ChunkRepository,
  IndexedSource,
  ReplaceOptions,
  ReplaceOutcome,
  SourceSummary,
} from '../../../ports/driven/chunk-repository.js';
import type { Clock } from '../../../ports/driven/clock.js';
import { sizeOf } from '../database/file-identity.js';
import { prepared } from '../database/prepared.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { catchUpCjkIndex } from '../keyword/cjk-index.js';
import {
  type ChunkRow,
  RETRIEVALS,
  toChunk,
  toIsoDate,
  WHOLE_CHUNK_COLUMNS,
} from './chunk-rows.js';
import { contentHashOf, supersessions } from './source-rows.js';
import { removeSource, writeSource } from './source-writer.js';

interface ChunkRepositoryOptions {
  readonly projectPath: string;
  readonly dbPath: string;
  readonly clock: Clock;
}

/** The chunks of one project in SQLite. */
export class SqliteChunkRepository implements ChunkRepository {
  readonly #database: ProjectDatabase;
  readonly #options: ChunkRepositoryOptions;
  readonly #sourceWriter: ReturnType<ProjectDatabase['sharedWriter']>;

  constructor(database: ProjectDatabase, options: ChunkRepositoryOptions) {
    this.#database = database;
    this.#sourceWriter = database.sharedWriter();
    this.#options = options;
  }

  replaceSource(
    sourceFile: string,
    read: () => Promise<SourceDocument | undefined>,
    { unchanged = 'skip' }: ReplaceOptions = {},
  ): Promise<ReplaceOutcome> {
    return this.#sourceWriter.run({
      subject: sourceFile,
      prepare: read,
      make: (db, document) => this.#replace(db, { sourceFile, document, unchanged }),
    });
  }

  indexedSources(): Promise<readonly IndexedSource[]> {
    return this.#database.read((db) => prepared<[], IndexedSource>(db, INDEXED_SOURCES).all());
  }

  sources(): Promise<readonly SourceSummary[]> {
    return this.#database.read(readSources);
  }

  supersessions(): Promise<readonly Supersession[]> {
    return this.#database.read(supersessions);
  }

  getChunks(ids: readonly string[]): Promise<readonly Chunk[]> {
    return this.#database.read((db) =>
      db
        .prepare<[string], ChunkRow>(
          `SELECT ${WHOLE_CHUNK_COLUMNS} FROM json_each(?) j JOIN chunks c ON c.id = j.value ORDER BY j.key`,
        )
        .all(JSON.stringify(ids))
        .map(toChunk),
    );
  }

  stats(): Promise<ContentStats> {
    return this.#database.read((db) => readStats(db, this.#options.dbPath));
  }

  #replace(db: Database, { sourceFile, document, unchanged }: Replacement): ReplaceOutcome {
    if (document === undefined) {
      removeSource(db, sourceFile);
    } else {
      const isSame = contentHashOf(db, sourceFile) === document.contentHash;
      if (isSame && unchanged === 'skip') return 'unchanged';
      const { projectPath, clock } = this.#options;
      writeSource(db, document, { projectPath, now: clock.now().toISOString(), unchanged });
    }
    catchUpCjkIndex(db);
    return document === undefined ? 'gone' : 'indexed';
  }
}

/** A row of `store_sources` can come with somebody's repository, and hold a value that is no text. */
const NAMES_A_FILE = "typeof(s.source_file) = 'text'";

/**
 * The chunks of each source are counted in an index, those of other programs included, which are then subtracted: to
 * look for the mark of each chunk takes 3 times as long. A foreign id may be NULL.
 */
const INDEXED_SOURCES = `WITH
  foreign_ids AS MATERIALIZED (SELECT id FROM chunks EXCEPT SELECT chunk_id FROM store_owned),
  foreign_counts AS MATERIALIZED (
    SELECT c.source_file, count(*) AS number
    FROM foreign_ids f CROSS JOIN chunks c ON c.id IS f.id GROUP BY c.source_file)
  SELECT CAST(s.source_type AS TEXT) AS sourceType, s.source_file AS sourceFile,
    CAST(s.content_hash AS TEXT) AS contentHash, s.chunk_count AS documentChunkCount,
    (SELECT count(*) FROM chunks c WHERE c.source_file = s.source_file) - coalesce(f.number, 0) AS chunkCount
  FROM store_sources s LEFT JOIN foreign_counts f ON f.source_file = s.source_file
  WHERE ${NAMES_A_FILE}`;

interface Replacement extends Required<ReplaceOptions> {
  readonly sourceFile: string;
  readonly document: SourceDocument | undefined;
}

function readStats(db: Database, dbPath: string): ContentStats {
  const lastUpdated = scalar<string | null>(db, 'SELECT CAST(max(updated_at) AS TEXT) FROM chunks');
  return {
    totalChunks: scalar<number>(db, 'SELECT count(*) FROM chunks'),
    uniqueSources: scalar<number>(db, 'SELECT count(DISTINCT source_file) FROM chunks'),
    sourceTypeBreakdown: breakdown(db),
    ...(lastUpdated !== null && { lastUpdated: toIsoDate(lastUpdated) }),
    sizeBytes: sizeOf(dbPath),
  };
}

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

/** Every source of a chunk, and every source that is indexed without one, by name. */
function readSources(db: Database): readonly SourceSummary[] {
  return db
    .prepare<[], SourceRow>(
      `SELECT coalesce(CAST(c.source_file AS TEXT), '') AS sourceFile,
         coalesce(CAST(s.source_type AS TEXT), min(CAST(c.source_type AS TEXT)), '') AS sourceType,
         count(*) AS chunks,
         sum(${RETRIEVALS}) AS retrievals,
         max(CAST(c.updated_at AS TEXT)) AS lastUpdated
       FROM chunks c LEFT JOIN store_sources s ON s.source_file = c.source_file
       GROUP BY c.source_file
       UNION ALL
       SELECT s.source_file, CAST(s.source_type AS TEXT), 0, 0, NULL FROM store_sources s
       WHERE ${NAMES_A_FILE} AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.source_file = s.source_file)
       ORDER BY sourceFile`,
    )
    .all()
    .map(({ lastUpdated, ...source }) => ({
      ...source,
      ...(lastUpdated !== null && { lastUpdated: toIsoDate(lastUpdated) }),
    }));
}

interface SourceRow extends Omit<SourceSummary, 'lastUpdated'> {
  readonly lastUpdated: string | null;
}
