import type { ChunkEntry } from '../../../domain/overview/chunk-list.js';
import type { ContentStats } from '../../../domain/overview/stats.js';
import type {
  IndexedSource,
  ReplaceOutcome,
  SourceChange,
  SourceRepository,
  SourceSelection,
  StoredChunk,
} from '../../../ports/source-repository.js';
import { PromiseQueue } from '../../../shared/concurrency.js';
import type { ProjectContext } from '../database/postgres-database.js';
import { lockUntilCommit, type Session } from '../database/session.js';
import { readEntries, readStats } from './chunk-counts.js';
import { readLines } from './chunk-lines.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from './chunk-rows.js';
import { keepVectors } from './kept-vectors.js';
import { forgetNames } from './source-names.js';
import { isIndexed, removeSource, writeSource } from './source-writer.js';

/** The chunks of one project in PostgreSQL. */
export class PostgresSourceRepository implements SourceRepository {
  readonly #project: ProjectContext;
  readonly #model: string;
  /** Runs one write at a time per project and process, so that waiting writes hold no connection. */
  readonly #writes = new PromiseQueue();
  /** Runs one update of counts at a time, so that only one connection waits for a lock, not one per search. */
  readonly #counts = new PromiseQueue();

  /** @param model only its vectors are restored */
  constructor(project: ProjectContext, model: string) {
    this.#project = project;
    this.#model = model;
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
      const target = { session, schema, now: clock.now(), model: this.#model, unchanged };
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

  findLines(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return readLines(this.#project, ids);
  }

  async indexedSources(which: SourceSelection = 'all'): Promise<readonly IndexedSource[]> {
    const { database, schema } = this.#project;
    const rows = await database.slowRows<SourceRow>(
      `SELECT s.source_type AS "sourceType", s.source_file AS "sourceFile",
           s.content_hash AS "contentHash", s.chunk_count AS "documentChunkCount", s.expires, p.supersedes,
           (SELECT count(*) FROM ${schema}.chunks c WHERE c.source_file = s.source_file) AS "chunkCount"
         FROM ${schema}.sources s
         ${which === 'superseding' ? 'JOIN' : 'LEFT JOIN'} ${schema}.supersessions p USING (source_file)
         WHERE ${which === 'expiring' ? 's.expires IS NOT NULL' : 'true'}`,
    );
    return rows.map(({ supersedes, expires, ...source }) => ({
      ...source,
      ...(supersedes !== null && { supersedes }),
      ...(expires !== null && { expires }),
    }));
  }

  entries(): Promise<readonly ChunkEntry[]> {
    return readEntries(this.#project);
  }

  async sourceFiles(): Promise<readonly string[]> {
    const { database, schema } = this.#project;
    const rows = await database.slowRows<{ readonly file: string }>(
      `SELECT DISTINCT source_file AS file FROM ${schema}.chunks`,
    );
    return rows.map(({ file }) => file);
  }

  async getChunks(ids: readonly string[], also?: 'questions'): Promise<readonly StoredChunk[]> {
    if (ids.length === 0) return [];
    const { database, schema, projectPath } = this.#project;
    const rows = await database.rows<ChunkRow & { readonly questions: readonly string[] }>(
      `SELECT ${CHUNK_COLUMNS}, coalesce(q.texts, '{}') AS questions
         FROM unnest($1::text[]) WITH ORDINALITY AS w(id, place)
         JOIN ${schema}.chunks c ON c.id = w.id
         LEFT JOIN ${schema}.questions q ON q.chunk_no = c.no ORDER BY w.place`,
      [ids],
    );
    return rows.map((row) => ({
      ...toChunk(row, projectPath),
      ...(also && { questions: row.questions }),
    }));
  }

  stats(): Promise<ContentStats> {
    return readStats(this.#project);
  }

  /**
   * Locks rows in one order, so that two processes never deadlock. The commit does not wait for the disk: losing the
   * last counts in a crash matters less than the time of a search.
   */
  async record(ids: readonly string[], at: Date): Promise<void> {
    if (ids.length === 0) return;
    const { database, schema } = this.#project;
    await this.#counts.run(() =>
      database.write(
        `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
         INSERT INTO ${schema}.retrievals AS r (chunk_no, retrieval_count, last_retrieved_at)
         SELECT c.no, count(*), $2 FROM relaxed, unnest($1::text[]) AS retrieved (id)
           JOIN ${schema}.chunks c ON c.id = retrieved.id GROUP BY c.no ORDER BY c.no
         ON CONFLICT (chunk_no) DO UPDATE
           SET retrieval_count = r.retrieval_count + excluded.retrieval_count,
           last_retrieved_at = excluded.last_retrieved_at`,
        [ids, at],
      ),
    );
  }

  async deleteChunks(ids: readonly string[], unusedSince?: Date): Promise<readonly string[]> {
    const { database, schema, clock } = this.#project;
    const chosen = `c.id = ANY($1) AND ($2::timestamptz IS NULL OR (c.updated_at < $2 AND NOT EXISTS (
      SELECT 1 FROM ${schema}.retrievals r WHERE r.chunk_no = c.no AND r.retrieval_count > 0)))`;
    const values = [ids, unusedSince ?? null];
    const deleted = await database.transaction(async (session) => {
      const found = await session.query<{ readonly no: number }>(
        `SELECT c.no FROM ${schema}.chunks c WHERE ${chosen} FOR UPDATE`,
        values,
      );
      await keepVectors(
        { session, schema, now: clock.now() },
        found.map(({ no }) => no),
      );
      const rows = await session.query<{ readonly id: string; readonly file: string }>(
        `DELETE FROM ${schema}.chunks c WHERE ${chosen} RETURNING c.id, c.source_file AS file`,
        values,
      );
      // The names of a source that another program wrote are deleted with its last chunk.
      const files = rows.map(({ file }) => file);
      await forgetNames({ session, schema }, files);
      return rows;
    });
    return deleted.map(({ id }) => id);
  }
}

interface SourceRow extends Omit<IndexedSource, 'supersedes' | 'expires'> {
  readonly expires: string | null;
  readonly supersedes: string | null;
}
