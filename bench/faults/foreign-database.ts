import {
  insertChunk,
  SPECIFIED_SCHEMA,
  withDatabase,
} from '../../test/support/database-inspection.js';

/** A database with the specified tables alone, and rows of a program that is not this service. */
export function writeForeignDatabase(path: string, rows: number): void {
  withDatabase(path, (db) => {
    db.pragma('journal_mode = WAL');
    db.exec(SPECIFIED_SCHEMA);
  });
  insertChunk(path, { id: 'row', content: 'apple' });
  withDatabase(path, (db) => {
    const copy = db.prepare(
      `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content, created_at, updated_at)
       SELECT ?, source_type, source_file, project_path, ?, content || ?, created_at, updated_at
         FROM chunks WHERE id = 'row'`,
    );
    db.transaction(() => {
      for (let index = 1; index < rows; index += 1) copy.run(`row${index}`, index, ` n${index}`);
    })();
  });
}
