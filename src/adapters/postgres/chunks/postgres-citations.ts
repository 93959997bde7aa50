import type { CitationChange, CitingChunk } from '../../../domain/citations/citation-change.js';
import { readCitations } from '../../../domain/citations/read-citations.js';
import type { CitationStore, KeptCitations } from '../../../ports/driven/citation-store.js';
import type { ProjectContext } from '../database/project-database.js';
import { type Columns, Parameters, type Session, tableOf } from '../database/session.js';

/** Must run in the transaction that writes the chunks. */
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
  const parameters = new Parameters();
  const { table } = tableOf(COLUMNS, added, parameters);
  await session.query(
    `INSERT INTO ${schema}.citations (chunk_no, cited_at, citations)
     SELECT c.no, ${parameters.add(now)}::timestamptz, n.citations
     FROM ${table} JOIN ${schema}.chunks c ON c.id = n.id AND c.is_owned
     ON CONFLICT (chunk_no) DO NOTHING`,
    parameters.values,
  );
}

interface CitationTarget {
  readonly session: Session;
  readonly schema: string;
  readonly now: Date;
}

const COLUMNS: Columns<CitingChunk> = {
  id: ['text', ({ chunkId }) => chunkId],
  citations: ['jsonb', ({ citations }) => JSON.stringify(citations)],
};

/** The citations of the chunks of one project in PostgreSQL. */
export class PostgresCitations implements CitationStore {
  readonly #project: ProjectContext;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  of(chunkIds: readonly string[]): Promise<readonly KeptCitations[]> {
    return this.#rows('WHERE c.id = ANY($1)', [chunkIds]);
  }

  page(after: string | undefined, limit: number): Promise<readonly KeptCitations[]> {
    const order = 'ORDER BY c.id COLLATE "C" LIMIT $2';
    return this.#rows(`WHERE c.id COLLATE "C" > $1 ${order}`, [after ?? '', limit]);
  }

  async #rows(which: string, values: readonly unknown[]): Promise<readonly KeptCitations[]> {
    const { database, schema } = this.#project;
    const rows = await database.rows<CitationRow>(
      `SELECT c.id, t.cited_at, t.citations FROM ${schema}.citations t
       JOIN ${schema}.chunks c ON c.no = t.chunk_no ${which}`,
      values,
    );
    return rows.map(({ id, cited_at: citedAt, citations }) => ({
      chunkId: id,
      citedAt: citedAt.toISOString(),
      citations: readCitations(citations),
    }));
  }
}

interface CitationRow {
  readonly id: string;
  readonly cited_at: Date;
  readonly citations: unknown;
}
