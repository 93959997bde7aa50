import { EXPORT_PAGE_MAX_CHARACTERS } from '../../../domain/limits.js';
import type { AddedRecords, ChunkRecord, SourceRecord } from '../../../domain/transfer/records.js';
import type { RecordPage, StoreRecords } from '../../../ports/driven/store-records.js';
import type { ProjectContext } from '../database/project-database.js';
import { type Columns, Parameters, tableOf } from '../database/session.js';
import type { OptionalIndexes } from '../indexes/optional-indexes.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from './chunk-rows.js';
import { addRecords } from './record-writer.js';
import { rememberSupersessions } from './source-writer.js';

interface RecordRow extends ChunkRow {
  readonly no: number;
  /** Rows of the page before long texts cut it. */
  readonly page_rows: number;
  readonly is_owned: boolean;
  readonly content_hash: string | null;
  readonly retrieval_count: number | null;
  readonly last_retrieved_at: Date | null;
  readonly questions: readonly string[] | null;
}

/** Everything in the tables of one project, in the order of the numbers of chunks. */
export class PostgresStoreRecords implements StoreRecords {
  readonly #project: ProjectContext;
  readonly #indexes: OptionalIndexes;

  constructor(project: ProjectContext, indexes: OptionalIndexes) {
    this.#project = project;
    this.#indexes = indexes;
  }

  async page(after: string | undefined, limit: number): Promise<RecordPage> {
    const { database, schema, projectPath } = this.#project;
    const rows = await database.rows<RecordRow>(
      `SELECT c.no, c.is_owned, s.content_hash, r.retrieval_count, r.last_retrieved_at,
           q.texts AS questions, c.page_rows, ${CHUNK_COLUMNS}
         FROM (SELECT p.*, sum(length(content)) OVER (ORDER BY no) AS characters,
             count(*) OVER () AS page_rows
           FROM (SELECT * FROM ${schema}.chunks WHERE no > $1 ORDER BY no LIMIT $2) p) c
         LEFT JOIN ${schema}.sources s USING (source_file)
         LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no
         LEFT JOIN ${schema}.questions q ON q.chunk_no = c.no
         WHERE c.characters - length(c.content) <= ${EXPORT_PAGE_MAX_CHARACTERS} ORDER BY c.no`,
      [after ?? '0', limit],
    );
    const last = rows.at(-1);
    const records = rows.map((row) => toRecord(row, projectPath));
    const isCut = rows.length === limit || rows.length < Number(last?.page_rows ?? 0);
    return isCut && last !== undefined ? { records, next: String(last.no) } : { records };
  }

  add(records: readonly ChunkRecord[]): Promise<AddedRecords> {
    const { schema } = this.#project;
    return this.#indexes.write((session) => addRecords({ session, schema }, records));
  }

  async addSources(sources: readonly SourceRecord[]): Promise<void> {
    const { database, schema } = this.#project;
    const parameters = new Parameters();
    const { names, table } = tableOf(SOURCE_COLUMNS, sources, parameters);
    await database.transaction(async (session) => {
      const remembered = await session.query<{ readonly file: string }>(
        `INSERT INTO ${schema}.sources AS s (${names}) SELECT * FROM ${table}
         ON CONFLICT (source_file) DO UPDATE SET source_type = excluded.source_type,
           content_hash = excluded.content_hash, chunk_count = excluded.chunk_count
         WHERE s.content_hash IN ('', excluded.content_hash) RETURNING source_file AS file`,
        parameters.values,
      );
      const files = new Set(remembered.map(({ file }) => file));
      const own = sources.filter(({ sourceFile }) => files.has(sourceFile));
      await rememberSupersessions({ session, schema }, own);
    });
  }
}

const SOURCE_COLUMNS: Columns<SourceRecord> = {
  source_file: ['text', ({ sourceFile }) => sourceFile],
  source_type: ['text', ({ sourceType }) => sourceType],
  content_hash: ['text', ({ contentHash }) => contentHash],
  chunk_count: ['integer', ({ documentChunkCount }) => documentChunkCount],
};

function toRecord(row: RecordRow, projectPathOfRow: string): ChunkRecord {
  const { projectPath: _, ...chunk } = toChunk(row, projectPathOfRow);
  const { questions } = row;
  return {
    chunk,
    ...(row.is_owned && { contentHash: row.content_hash ?? '' }),
    retrievalCount: row.retrieval_count ?? 0,
    ...(row.last_retrieved_at && { lastRetrievedAt: row.last_retrieved_at.toISOString() }),
    ...(questions !== null && questions.length > 0 && { questions }),
  };
}
