import type { CitationChange } from '../../../domain/chunks/source-plan.js';
import {
  type CitationRow,
  citationRow,
  citationsByChunk,
  type JudgedCitation,
} from '../../../domain/citations/citation.js';
import type {
  CitationFilter,
  CitationStore,
  StoredCitations,
} from '../../../ports/citation-store.js';
import type { ProjectContext } from '../database/postgres-database.js';
import { type Columns, inlineTable, Parameters, type SchemaSession } from '../database/session.js';

/** Applies a change of citations. Must run in the transaction that writes the chunks. */
export async function writeCitations(
  { session, schema, now }: CitationTarget,
  { dropped, added }: CitationChange,
): Promise<void> {
  if (dropped.length > 0) {
    await session.query(
      `DELETE FROM ${schema}.citations t USING ${schema}.chunks c
       WHERE c.no = t.chunk_no AND c.id = ANY($1)`,
      [dropped],
    );
  }
  if (added.length === 0) return;
  const rows = added.flatMap(({ chunkId, citations }) =>
    citations.map((citation, place) => ({
      ...citationRow({ ...citation, state: 'current' }),
      chunkId,
      place,
    })),
  );
  const parameters = new Parameters();
  const { table } = inlineTable(NEW_COLUMNS, rows, parameters);
  await session.query(
    `INSERT INTO ${schema}.citations (chunk_no, cited_at, place, ${IDENTITY}, state)
     SELECT c.no, ${parameters.add(now)}::timestamptz, n.place, ${IDENTITY}, 'current'
     FROM ${table} JOIN ${schema}.chunks c ON c.id = n.id
     WHERE NOT EXISTS (SELECT 1 FROM ${schema}.citations t WHERE t.chunk_no = c.no)`,
    parameters.values,
  );
}

interface CitationTarget extends SchemaSession {
  readonly now: Date;
}

/** The columns that identify a citation; they are the same in every chunk that cites these lines. */
const CITATION_COLUMNS: Columns<CitationRow> = {
  path: ['text', ({ path }) => path],
  file_hash: ['text', ({ fileHash }) => fileHash],
  first_line: ['int', ({ firstLine }) => firstLine],
  last_line: ['int', ({ lastLine }) => lastLine],
  lines_hash: ['text', ({ linesHash }) => linesHash],
};
const IDENTITY = Object.keys(CITATION_COLUMNS).join(', ');

const NEW_COLUMNS: Columns<CitationRow & { readonly chunkId: string; readonly place: number }> = {
  id: ['text', ({ chunkId }) => chunkId],
  place: ['int', ({ place }) => place],
  ...CITATION_COLUMNS,
};

const JUDGED_COLUMNS: Columns<CitationRow> = {
  ...CITATION_COLUMNS,
  state: ['text', ({ state }) => state],
  moved_to: ['int', ({ movedTo }) => movedTo],
};

/** The citations of the chunks of one project in PostgreSQL. */
export class PostgresCitations implements CitationStore {
  readonly #project: ProjectContext;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  find(which: CitationFilter): Promise<readonly StoredCitations[]> {
    const { schema } = this.#project;
    if (which === 'stale') {
      const stale = `SELECT chunk_no FROM ${schema}.citations WHERE state <> 'current'`;
      return this.#chunks(`c.no IN (${stale})`);
    }
    return 'path' in which
      ? this.#chunks('t.path = $1', [which.path])
      : this.#chunks('c.id = ANY($1)', [which.chunkIds]);
  }

  async citedPaths(): Promise<readonly string[]> {
    const { database, schema } = this.#project;
    const sql = `SELECT DISTINCT path FROM ${schema}.citations`;
    return (await database.rows<{ readonly path: string }>(sql)).map(({ path }) => path);
  }

  async judge(citations: readonly JudgedCitation[]): Promise<void> {
    const { database, schema } = this.#project;
    const parameters = new Parameters();
    const { table } = inlineTable(JUDGED_COLUMNS, citations.map(citationRow), parameters);
    await database.write(
      `UPDATE ${schema}.citations t SET state = n.state, moved_to = n.moved_to FROM ${table}
       WHERE t.path = n.path AND (t.file_hash, t.first_line, t.last_line, t.lines_hash)
         IS NOT DISTINCT FROM (n.file_hash, n.first_line, n.last_line, n.lines_hash)`,
      parameters.values,
    );
  }

  async #chunks(
    condition: string,
    values: readonly unknown[] = [],
  ): Promise<readonly StoredCitations[]> {
    const { database, schema } = this.#project;
    const rows = await database.rows<CitationRow & { readonly chunkId: string; readonly at: Date }>(
      `SELECT c.id AS "chunkId", t.cited_at AS at, t.path, t.file_hash AS "fileHash",
         t.first_line AS "firstLine", t.last_line AS "lastLine", t.lines_hash AS "linesHash", t.state,
         t.moved_to AS "movedTo"
       FROM ${schema}.citations t JOIN ${schema}.chunks c ON c.no = t.chunk_no WHERE ${condition}
       ORDER BY c.id COLLATE "C", t.place`,
      values,
    );
    return citationsByChunk(rows.map(({ at, ...row }) => ({ ...row, citedAt: at.toISOString() })));
  }
}
