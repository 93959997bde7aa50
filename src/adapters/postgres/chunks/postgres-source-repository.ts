import type { Chunk, SourceType } from '../../../domain/chunks/chunk.js';
import { CHARACTERS_PER_BUDGET_TOKEN } from '../../../domain/limits.js';
import type { ChunkEntry } from '../../../domain/overview/chunk-list.js';
import type { Supersession } from '../../../domain/saved/supersession.js';
import { type ContentStats, NO_CONTENT } from '../../../domain/stats.js';
import type {
  IndexedSource,
  ReplaceOutcome,
  SourceChange,
  SourceRepository,
} from '../../../ports/source-repository.js';
import { PromiseQueue } from '../../../shared/concurrency.js';
import type { ProjectContext } from '../database/project-context.js';
import { lockUntilCommit, type Session } from '../database/session.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from './chunk-rows.js';
import { isIndexed, removeSource, writeSource } from './source-writer.js';

/** The chunks of one project in PostgreSQL. */
export class PostgresSourceRepository implements SourceRepository {
  readonly #project: ProjectContext;
  /** One write per project and process, so that waiting ones hold no connection. */
  readonly #writes = new PromiseQueue();

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  async replaceSources(changes: readonly SourceChange[]): Promise<readonly ReplaceOutcome[]> {
    const outcomes: ReplaceOutcome[] = [];
    for (const change of changes) outcomes.push(await this.#replace(change));
    return outcomes;
  }

  #replace({
    sourceFile,
    document,
    unchanged = 'skip',
    isCurrent = () => true,
  }: SourceChange): Promise<ReplaceOutcome> {
    const { database, schema, clock } = this.#project;
    const replace = async (session: Session): Promise<ReplaceOutcome> => {
      await lockUntilCommit(session, `${schema} ${sourceFile}`);
      if (!isCurrent()) return 'changed';
      const target = { session, schema, now: clock.now(), unchanged };
      if (document === undefined) {
        await removeSource(target, sourceFile);
        return 'gone';
      }
      if (unchanged === 'skip' && (await isIndexed(target, document, sourceFile)))
        return 'unchanged';
      await writeSource(target, document);
      return 'indexed';
    };
    return this.#writes.run(() => database.transaction(replace));
  }

  indexedSources(): Promise<readonly IndexedSource[]> {
    const { database, schema } = this.#project;
    return database.rows<IndexedSource>(
      `SELECT s.source_type AS "sourceType", s.source_file AS "sourceFile",
           s.content_hash AS "contentHash", s.chunk_count AS "documentChunkCount",
           count(c.no) AS "chunkCount"
         FROM ${schema}.sources s
         LEFT JOIN ${schema}.chunks c ON c.source_file = s.source_file
         GROUP BY s.source_file`,
    );
  }

  async entries(): Promise<readonly ChunkEntry[]> {
    const { database, schema } = this.#project;
    return (await database.rows<EntryRow>(entriesOf(schema))).map(entryOf);
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
}

function entriesOf(schema: string): string {
  return `SELECT c.id, c.source_type AS "sourceType", c.source_file AS "sourceFile",
      c.chunk_index AS "chunkIndex", c.heading, c.importance, c.created_at AS "createdAt", c.updated_at AS "updatedAt",
      (length(c.content) + ${CHARACTERS_PER_BUDGET_TOKEN - 1}) / ${CHARACTERS_PER_BUDGET_TOKEN} AS tokens,
      coalesce(r.retrieval_count, 0) AS retrievals, r.last_retrieved_at AS "lastRetrievedAt"
    FROM ${schema}.chunks c LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no`;
}

interface EntryRow
  extends Omit<ChunkEntry, 'heading' | 'createdAt' | 'updatedAt' | 'lastRetrievedAt'> {
  readonly heading: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastRetrievedAt: Date | null;
}

function entryOf({
  heading,
  createdAt,
  updatedAt,
  lastRetrievedAt,
  ...entry
}: EntryRow): ChunkEntry {
  return {
    ...entry,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(heading !== null && { heading }),
    ...(lastRetrievedAt !== null && { lastRetrievedAt: lastRetrievedAt.toISOString() }),
  };
}

async function readStats({ database, schema }: ProjectContext): Promise<ContentStats> {
  const rows = await database.rows<TypeCount>(
    `SELECT source_type AS "sourceType", count(*) AS chunks, max(updated_at) AS "lastUpdated"
     FROM ${schema}.chunks GROUP BY source_type`,
  );
  const [whole] = await database.rows<Pick<ContentStats, 'uniqueSources' | 'sizeBytes'>>(
    `SELECT (SELECT count(DISTINCT source_file) FROM ${schema}.chunks) AS "uniqueSources",
       (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
        WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r') AS "sizeBytes"`,
  );
  const counts = { ...NO_CONTENT.sourceTypeBreakdown };
  for (const { sourceType, chunks } of rows) if (sourceType in counts) counts[sourceType] = chunks;
  const lastUpdated = Math.max(...rows.map((row) => row.lastUpdated.getTime()));
  return {
    ...NO_CONTENT,
    ...whole,
    totalChunks: rows.reduce((sum, { chunks }) => sum + chunks, 0),
    sourceTypeBreakdown: counts,
    ...(rows.length > 0 && { lastUpdated: new Date(lastUpdated).toISOString() }),
  };
}

interface TypeCount {
  readonly sourceType: SourceType;
  readonly chunks: number;
  readonly lastUpdated: Date;
}
