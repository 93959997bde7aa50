import type { Database } from 'better-sqlite3';
import type { CitationChange } from '../../../domain/citations/citation-change.js';
import { readCitations } from '../../../domain/citations/read-citations.js';
import type { CitationStore, KeptCitations } from '../../../ports/driven/citation-store.js';
import { prepared } from '../database/prepared.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { toIsoDate } from './chunk-rows.js';

/** Must run in the transaction that writes the chunks. */
export function writeCitations(
  db: Database,
  { dropped, added }: CitationChange,
  citedAt: string,
): void {
  if (dropped.length > 0) {
    const ids = JSON.stringify(dropped);
    prepared(
      db,
      'DELETE FROM store_citations WHERE chunk_id IN (SELECT value FROM json_each(?))',
    ).run(ids);
  }
  const insert = prepared(
    db,
    'INSERT OR IGNORE INTO store_citations (chunk_id, cited_at, citations) VALUES (?, ?, ?)',
  );
  for (const { chunkId, citations } of added) {
    insert.run(chunkId, citedAt, JSON.stringify(citations));
  }
}

/** The citations of the chunks of one project in SQLite. */
export class SqliteCitations implements CitationStore {
  readonly #database: ProjectDatabase;

  constructor(database: ProjectDatabase) {
    this.#database = database;
  }

  of(chunkIds: readonly string[]): Promise<readonly KeptCitations[]> {
    return this.#rows(`${SELECT} WHERE chunk_id IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(chunkIds),
    ]);
  }

  page(after: string | undefined, limit: number): Promise<readonly KeptCitations[]> {
    return this.#rows(`${SELECT} WHERE chunk_id > ? ORDER BY chunk_id LIMIT ?`, [
      after ?? '',
      limit,
    ]);
  }

  async #rows(
    sql: string,
    values: readonly (string | number)[],
  ): Promise<readonly KeptCitations[]> {
    const rows = await this.#database.read((db) =>
      prepared<(string | number)[], CitationRow>(db, sql).all(...values),
    );
    return rows.map(keptCitations);
  }
}

/** A database may come from elsewhere, and hold values of other types. */
const SELECT = `SELECT CAST(chunk_id AS TEXT) AS chunkId, CAST(cited_at AS TEXT) AS citedAt,
  CAST(citations AS TEXT) AS citations FROM store_citations`;

interface CitationRow {
  readonly chunkId: string;
  readonly citedAt: string;
  readonly citations: string;
}

function keptCitations({ citations, citedAt, chunkId }: CitationRow): KeptCitations {
  return { chunkId, citedAt: toIsoDate(citedAt), citations: readCitations(parsed(citations)) };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
