import type { Chunk, SourceDocument } from '../../../domain/chunks/chunk.js';
import { PromiseQueue } from '../../../domain/promise-queue.js';
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
import { readSources, readStats } from './summaries.js';

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
