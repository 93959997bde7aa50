import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import type { Vector } from '../../src/domain/ranking/vector.js';
import { SPECIFIED_SCHEMA } from '../../test/support/database-inspection.js';
import type { CorpusDocument } from './collection.js';

/** Application directory and database file of a project (docs/specification.md, "Database"). */
export const APP_DIR = '.knowledge';
export const DATABASE = join(APP_DIR, 'knowledge.db');

interface ForeignDatabase {
  readonly documents: readonly CorpusDocument[];
  readonly model: string;
}

/**
 * Writes a project's database like a program that knows nothing but docs/specification.md: with its tables and
 * triggers, one chunk per document, and vectors of length 1 as 384 little-endian 32-bit floats.
 */
export function writeForeignDatabase(project: string, content: ForeignDatabase): void {
  const db = openDatabase(join(project, DATABASE));
  try {
    db.exec(SPECIFIED_SCHEMA);
    db.transaction(() => insertAll(db, project, content)).immediate();
  } finally {
    db.close();
  }
}

function insertAll(db: Database, project: string, content: ForeignDatabase): void {
  const at = '2026-01-01T00:00:00.000Z';
  const chunk = db.prepare(
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
       importance, created_at, updated_at)
     VALUES (?, 'file', ?, ?, 0, ?, ?, ?, ?, ?)`,
  );
  const embedding = db.prepare(
    'INSERT INTO embeddings (chunk_id, embedding, model, created_at) VALUES (?, ?, ?, ?)',
  );
  for (const { id, title, text, path, vector } of content.documents) {
    const values = [title === '' ? null : title, text, 0.5, at, at];
    chunk.run(id, path ?? id, project, ...values);
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
