/** What each chunk cites, as it was when the chunk was written, and what has become of it. */
export const CITATIONS_TABLE = `CREATE TABLE store_citations (
    id INTEGER PRIMARY KEY NOT NULL,
    chunk_id TEXT NOT NULL REFERENCES chunks(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    file_hash TEXT NOT NULL,
    first_line INTEGER,
    last_line INTEGER,
    lines_hash TEXT,
    cited_at TEXT NOT NULL,
    state TEXT NOT NULL,
    moved_to INTEGER
  )`;

export const CITATIONS_INDEXES = {
  citations_by_chunk: 'CREATE INDEX citations_by_chunk ON store_citations(chunk_id)',
  citations_by_path: 'CREATE INDEX citations_by_path ON store_citations(path)',
};
