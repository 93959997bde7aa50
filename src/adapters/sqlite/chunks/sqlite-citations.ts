import type { Database } from 'better-sqlite3';
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
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { prepareOnce } from '../database/statements.js';

/** Applies a change of citations. Must run in the transaction that writes the chunks. */
export function writeCitations(
  db: Database,
  { dropped, added }: CitationChange,
  citedAt: string,
): void {
  for (const id of dropped) {
    prepareOnce(db, 'DELETE FROM store_citations WHERE chunk_id = ?').run(id);
  }
  const has = prepareOnce(db, 'SELECT 1 FROM store_citations WHERE chunk_id = ? LIMIT 1');
  for (const { chunkId, citations } of added) {
    if (has.get(chunkId) !== undefined) continue;
    for (const citation of citations) {
      const columns = { ...citationRow({ ...citation, state: 'current' }), chunkId, citedAt };
      prepareOnce(db, INSERT).run(columns);
    }
  }
}

/** The citations of the chunks of one project in SQLite. */
export class SqliteCitations implements CitationStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  find(which: CitationFilter): Promise<readonly StoredCitations[]> {
    return this.#database.read((db) => {
      if (which === 'stale')
        return citationsByChunk(prepareOnce<[], Row>(db, OF_STALE_CHUNKS).all());
      const [sql, value] =
        'path' in which ? [OF_PATH, which.path] : [OF_CHUNKS, JSON.stringify(which.chunkIds)];
      return citationsByChunk(prepareOnce<[string], Row>(db, sql).all(value));
    });
  }

  citedPaths(): Promise<readonly string[]> {
    return this.#database.read((db) =>
      prepareOnce<[], string>(db, 'SELECT DISTINCT path FROM store_citations').pluck().all(),
    );
  }

  async judge(citations: readonly JudgedCitation[]): Promise<void> {
    await this.#database.write((db) => {
      for (const citation of citations) prepareOnce(db, JUDGE).run(citationRow(citation));
    });
  }
}

const COLUMNS = `c.chunk_id AS chunkId, c.cited_at AS citedAt, c.path, c.file_hash AS fileHash,
  c.first_line AS firstLine, c.last_line AS lastLine, c.lines_hash AS linesHash, c.state, c.moved_to AS movedTo`;

const OF_CHUNKS = `SELECT ${COLUMNS} FROM json_each(?) j
  CROSS JOIN store_citations c ON c.chunk_id = j.value ORDER BY c.chunk_id, c.id`;
const OF_STALE_CHUNKS = `SELECT ${COLUMNS} FROM store_citations c
  WHERE c.chunk_id IN (SELECT chunk_id FROM store_citations WHERE state <> 'current')
  ORDER BY c.chunk_id, c.id`;
const OF_PATH = `SELECT ${COLUMNS} FROM store_citations c WHERE c.path = ? ORDER BY c.chunk_id, c.id`;

const INSERT = `INSERT INTO store_citations (chunk_id, path, file_hash, first_line, last_line,
    lines_hash, cited_at, state, moved_to)
  VALUES (@chunkId, @path, @fileHash, @firstLine, @lastLine, @linesHash, @citedAt, @state, @movedTo)`;
const JUDGE = `UPDATE store_citations SET state = @state, moved_to = @movedTo
  WHERE path = @path AND (file_hash, first_line, last_line, lines_hash)
    IS (@fileHash, @firstLine, @lastLine, @linesHash)`;

type Row = CitationRow & Pick<StoredCitations, 'chunkId' | 'citedAt'>;
