import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Vector } from '../../src/domain/vector.js';
import type { CorpusDocument } from './collection.js';

/** Application directory and database of a project, as the specification names them. */
export const APP_DIR = '.knowledge';
export const DATABASE = join(APP_DIR, 'knowledge.db');

export interface ForeignDatabase {
  readonly documents: readonly CorpusDocument[];
  readonly model: string;
  /** Whether the documents' questions are written too. */
  readonly questions: 'none' | 'given';
}

/**
 * Writes a project's database as a program that knows nothing but the specification would: its
 * tables, its triggers, one chunk a document, vectors of length 1 as 384 little-endian 32-bit floats.
 */
export function writeForeignDatabase(project: string, content: ForeignDatabase): void {
  const db = new Database(join(project, DATABASE));
  try {
    db.exec(SCHEMA);
    db.transaction(() => insertAll(db, project, content)).immediate();
  } finally {
    db.close();
  }
}

function insertAll(db: Database.Database, project: string, content: ForeignDatabase): void {
  const at = '2026-01-01T00:00:00.000Z';
  const chunk = db.prepare(
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
       importance, created_at, updated_at, hype_queries, hype_embeddings)
     VALUES (?, 'file', ?, ?, 0, ?, ?, 0.5, ?, ?, ?, ?)`,
  );
  const embedding = db.prepare(
    'INSERT INTO embeddings (chunk_id, embedding, model, created_at) VALUES (?, ?, ?, ?)',
  );
  for (const { id, title, text, vector, questions } of content.documents) {
    const own = content.questions === 'given' ? questions : undefined;
    const hype = [own ? JSON.stringify(own.texts) : null, own?.vector ? toBlob(own.vector) : null];
    chunk.run(id, `imported/${id}`, project, title === '' ? null : title, text, at, at, ...hype);
    if (vector !== undefined) embedding.run(id, toBlob(vector), content.model, at);
  }
}

function toBlob(vector: Vector): Buffer {
  const blob = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => {
    blob.writeFloatLE(value, index * 4);
  });
  return blob;
}

const SCHEMA = `
  CREATE TABLE chunks (
    id TEXT PRIMARY KEY NOT NULL, source_type TEXT NOT NULL, source_file TEXT NOT NULL,
    project_path TEXT NOT NULL, chunk_index INTEGER NOT NULL, heading TEXT, content TEXT NOT NULL,
    tags TEXT, importance REAL NOT NULL DEFAULT 0.5, created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL, last_retrieved_at TEXT, retrieval_count INTEGER NOT NULL DEFAULT 0,
    hype_queries TEXT, hype_embeddings BLOB
  );
  CREATE TABLE embeddings (
    chunk_id TEXT PRIMARY KEY NOT NULL REFERENCES chunks(id) ON DELETE CASCADE,
    embedding BLOB NOT NULL, model TEXT NOT NULL, created_at TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE chunks_fts USING fts5(
    heading, content, content='chunks', content_rowid='rowid'
  );
  CREATE TRIGGER chunks_ai AFTER INSERT ON chunks BEGIN
    INSERT INTO chunks_fts(rowid, heading, content) VALUES (new.rowid, new.heading, new.content);
  END;
  CREATE TRIGGER chunks_ad AFTER DELETE ON chunks BEGIN
    INSERT INTO chunks_fts(chunks_fts, rowid, heading, content)
      VALUES ('delete', old.rowid, old.heading, old.content);
  END;
  CREATE TRIGGER chunks_au AFTER UPDATE ON chunks BEGIN
    INSERT INTO chunks_fts(chunks_fts, rowid, heading, content)
      VALUES ('delete', old.rowid, old.heading, old.content);
    INSERT INTO chunks_fts(rowid, heading, content) VALUES (new.rowid, new.heading, new.content);
  END;
`;
