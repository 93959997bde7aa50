import { type Database, openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { problemsIn } from './verify.js';

/** A row of `chunks` as stored in the file. */
interface RawChunk {
  readonly id: string;
  readonly source_type: string;
  readonly source_file: string;
  readonly project_path: string;
  readonly chunk_index: number;
  readonly heading: string | null;
  readonly content: string;
  readonly tags: string | null;
  readonly importance: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_retrieved_at: string | null;
  readonly retrieval_count: number;
  readonly hype_queries: string | null;
  readonly hype_embeddings: Buffer | null;
}

export const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The schema of docs/specification.md as another program would create it, with FTS5's default tokenizer. */
export const SPECIFIED_SCHEMA = `
  CREATE TABLE chunks (
    id TEXT PRIMARY KEY, source_type TEXT NOT NULL, source_file TEXT NOT NULL,
    project_path TEXT NOT NULL, chunk_index INTEGER NOT NULL, heading TEXT, content TEXT NOT NULL,
    tags TEXT, importance REAL NOT NULL DEFAULT 0.5, created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL, last_retrieved_at TEXT, retrieval_count INTEGER NOT NULL DEFAULT 0,
    hype_queries TEXT, hype_embeddings BLOB);
  CREATE TABLE embeddings (
    chunk_id TEXT PRIMARY KEY, embedding BLOB NOT NULL, model TEXT NOT NULL, created_at TEXT NOT NULL,
    FOREIGN KEY (chunk_id) REFERENCES chunks(id) ON DELETE CASCADE);
  CREATE VIRTUAL TABLE chunks_fts USING fts5(heading, content, content='chunks', content_rowid='rowid');
  CREATE TRIGGER chunks_ai AFTER INSERT ON chunks BEGIN
    INSERT INTO chunks_fts(rowid, heading, content) VALUES (new.rowid, new.heading, new.content); END;
  CREATE TRIGGER chunks_ad AFTER DELETE ON chunks BEGIN
    INSERT INTO chunks_fts(chunks_fts, rowid, heading, content)
      VALUES ('delete', old.rowid, old.heading, old.content); END;
  CREATE TRIGGER chunks_au AFTER UPDATE ON chunks BEGIN
    INSERT INTO chunks_fts(chunks_fts, rowid, heading, content)
      VALUES ('delete', old.rowid, old.heading, old.content);
    INSERT INTO chunks_fts(rowid, heading, content) VALUES (new.rowid, new.heading, new.content); END;`;

/** Runs work on a connection of its own; other programs may use the file at the same time. */
export function withDatabase<T>(path: string, work: (db: Database) => T): T {
  const db = openDatabase(path, { timeout: 5000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** The rows of `chunks`, by source and position. */
export function chunksIn(path: string, where = '1'): readonly RawChunk[] {
  return rowsOf<RawChunk>(
    path,
    `SELECT * FROM chunks WHERE ${where} ORDER BY source_file, chunk_index`,
  );
}

export function rowsOf<T>(path: string, sql: string): readonly T[] {
  return withDatabase(path, (db) => db.prepare<[], T>(sql).all());
}

export function scalarOf(path: string, sql: string): unknown {
  return withDatabase(path, (db) => db.prepare(sql).pluck().get());
}

export function execute(path: string, sql: string, ...values: readonly unknown[]): void {
  withDatabase(path, (db) => {
    if (values.length === 0) db.exec(sql);
    else db.prepare(sql).run(...values);
  });
}

/** Inserts a row as another program might. */
export function insertChunk(
  path: string,
  chunk: Partial<RawChunk> & { readonly id: string },
): void {
  const row = {
    source_type: 'manual',
    source_file: 'manual/note',
    project_path: '/elsewhere',
    chunk_index: 0,
    heading: null,
    content: '',
    tags: null,
    importance: 0.5,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    last_retrieved_at: null,
    retrieval_count: 0,
    hype_queries: null,
    hype_embeddings: null,
    ...chunk,
  };
  const names = Object.keys(row);
  withDatabase(path, (db) =>
    db
      .prepare(`INSERT INTO chunks (${names}) VALUES (${names.map((name) => `@${name}`)})`)
      .run(row),
  );
}

/**
 * Checks the invariants that hold for every project.
 * @throws Error that lists all problems
 */
export function verifyDatabase(path: string): void {
  const problems = problemsIn(path);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
