import {
  type Chunk,
  SOURCE_TYPES,
  type SourceDocument,
  type SourceType,
} from '../../../domain/chunks/chunk.js';
import { PromiseQueue } from '../../../domain/promise-queue.js';
import type { Supersession } from '../../../domain/saved/supersession.js';
import type { ContentStats } from '../../../domain/stats.js';
import type {
  ChunkRepository,
  IndexedSource,
  ReplaceOptions,
  ReplaceOutcome,
  SourceSummary,
} from '../../../ports/driven/chunk-repository.js';
import type { ProjectContext } from '../database/project-database.js';
import { lockUntilCommit } from '../database/registry.js';
import type { Session } from '../database/session.js';
import type { OptionalIndexes } from '../indexes/optional-indexes.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from './chunk-rows.js';
import { removeSource, writeSource } from './source-writer.js';

/** The chunks of one project in PostgreSQL. */
export class PostgresChunkRepository implements ChunkRepository {
  readonly #project: ProjectContext;
  readonly #indexes: OptionalIndexes;
  /** One write per project and process, so that waiting ones hold no connection. */
  readonly #writes = new PromiseQueue();

  constructor(project: ProjectContext, indexes: OptionalIndexes) {
    this.#project = project;
    this.#indexes = indexes;
  }

  replaceSource(
    sourceFile: string,
    read: () => Promise<SourceDocument | undefined>,
    options: ReplaceOptions = {},
  ): Promise<ReplaceOutcome> {
    const { schema } = this.#project;
    return this.#writes.run(() =>
      this.#indexes.write(async (session) => {
        await lockUntilCommit(session, `${schema} ${sourceFile}`);
        return this.#replace({ session, sourceFile, document: await read(), options });
      }),
    );
  }

  indexedSources(): Promise<readonly IndexedSource[]> {
    const { database, schema } = this.#project;
    return database.rows<IndexedSource>(
      `SELECT s.source_type AS "sourceType", s.source_file AS "sourceFile",
           s.content_hash AS "contentHash", s.chunk_count AS "documentChunkCount",
           count(c.no) AS "chunkCount"
         FROM ${schema}.sources s
         LEFT JOIN ${schema}.chunks c ON c.source_file = s.source_file AND c.is_owned
         GROUP BY s.source_file`,
    );
  }

  sources(): Promise<readonly SourceSummary[]> {
    return readSources(this.#project);
  }

  supersessions(): Promise<readonly Supersession[]> {
    const { database, schema } = this.#project;
    return database.rows<Supersession>(
      `SELECT source_file AS "sourceFile", supersedes FROM ${schema}.supersessions`,
    );
  }

  async getChunks(ids: readonly string[]): Promise<readonly Chunk[]> {
    if (ids.length === 0) return [];
    const { database, schema, projectPath } = this.#project;
    const rows = await database.rows<ChunkRow>(
      `SELECT ${CHUNK_COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS w(id, place)
         JOIN ${schema}.chunks c ON c.id = w.id ORDER BY w.place`,
      [ids],
    );
    return rows.map((row) => toChunk(row, projectPath));
  }

  stats(): Promise<ContentStats> {
    return readStats(this.#project);
  }

  async #replace(change: SourceChange): Promise<ReplaceOutcome> {
    const { session, sourceFile, document, options } = change;
    const { schema, clock } = this.#project;
    const { unchanged = 'skip' } = options;
    const target = { session, schema, now: clock.now(), unchanged };
    if (document === undefined) {
      await removeSource(target, sourceFile);
      return 'gone';
    }
    const [known] = await session.query<{ readonly contentHash: string }>(
      `SELECT content_hash AS "contentHash" FROM ${schema}.sources WHERE source_file = $1`,
      [sourceFile],
    );
    const isSame = known?.contentHash === document.contentHash;
    if (isSame && unchanged === 'skip') return 'unchanged';
    await writeSource(target, document);
    return 'indexed';
  }
}

interface SourceChange {
  readonly session: Session;
  readonly sourceFile: string;
  readonly document: SourceDocument | undefined;
  readonly options: ReplaceOptions;
}

/** Every source of a chunk, and every source that is indexed without one, by name. */
async function readSources(project: ProjectContext): Promise<readonly SourceSummary[]> {
  const { database, schema } = project;
  const rows = await database.rows<SourceRow>(
    `SELECT coalesce(s.source_file, c.source_file) AS "sourceFile",
       coalesce(s.source_type, min(c.source_type)) AS "sourceType",
       count(c.no) AS chunks, coalesce(sum(r.retrieval_count), 0)::bigint AS retrievals,
       max(c.updated_at) AS "lastUpdated"
     FROM ${schema}.sources s FULL JOIN ${schema}.chunks c ON c.source_file = s.source_file
     LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no
     GROUP BY s.source_file, c.source_file`,
  );
  return rows
    .map(({ lastUpdated, ...source }) => ({
      ...source,
      ...(lastUpdated !== null && { lastUpdated: lastUpdated.toISOString() }),
    }))
    .toSorted((a, b) => (a.sourceFile < b.sourceFile ? -1 : 1));
}

interface SourceRow extends Omit<SourceSummary, 'lastUpdated'> {
  readonly lastUpdated: Date | null;
}

async function readStats({ database, schema }: ProjectContext): Promise<ContentStats> {
  const rows = await database.rows<TypeCount>(
    `SELECT source_type AS "sourceType", count(*) AS chunks, max(updated_at) AS "lastUpdated"
     FROM ${schema}.chunks GROUP BY source_type`,
  );
  const [whole] = await database.rows<Whole>(
    `SELECT (SELECT count(DISTINCT source_file) FROM ${schema}.chunks) AS "uniqueSources",
       (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
        WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r') AS "sizeBytes"`,
  );
  const lastUpdated = Math.max(...rows.map((row) => row.lastUpdated.getTime()));
  return {
    totalChunks: rows.reduce((sum, { chunks }) => sum + chunks, 0),
    uniqueSources: whole?.uniqueSources ?? 0,
    sourceTypeBreakdown: breakdown(rows),
    ...(rows.length > 0 && { lastUpdated: new Date(lastUpdated).toISOString() }),
    sizeBytes: whole?.sizeBytes ?? 0,
  };
}

interface TypeCount {
  readonly sourceType: string;
  readonly chunks: number;
  readonly lastUpdated: Date;
}

interface Whole {
  readonly uniqueSources: number;
  readonly sizeBytes: number;
}

function breakdown(rows: readonly TypeCount[]): Readonly<Record<SourceType, number>> {
  const counts = new Map(rows.map(({ sourceType, chunks }) => [sourceType, chunks]));
  const entries = SOURCE_TYPES.map((type) => [type, counts.get(type) ?? 0] as const);
  return Object.fromEntries(entries) as Record<SourceType, number>;
}
