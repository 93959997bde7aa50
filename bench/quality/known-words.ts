import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { DATABASE } from './foreign-database.js';

/** Whether the full-text index of a project contains any word of a text. Nothing else may have the database open. */
export function knowsAWord(project: string, text: string): boolean {
  const db = openDatabase(join(project, DATABASE));
  try {
    const find = db.prepare('SELECT 1 FROM chunks_fts WHERE chunks_fts MATCH ? LIMIT 1');
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    return words.some((word) => find.get(`"${word}"`) !== undefined);
  } finally {
    db.close();
  }
}
