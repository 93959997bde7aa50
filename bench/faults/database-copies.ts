import { renameSync, rmSync } from 'node:fs';
import { Database } from '../../src/adapters/sqlite/database/driver.js';
import { CHUNK_COLUMNS, SPECIFIED_SCHEMA } from '../../test/support/database-inspection.js';

/** What a VACUUM may do, says SQLite: full-text rows then belong to other chunks until a rebuild. */
export const RENUMBERED = 'rows numbered again';

/** What another program does with a database; each keeps all chunks and vectors, and may number rows again. */
export const WAYS: Readonly<Record<string, (path: string) => void>> = {
  VACUUM: (path) => on(path, (db) => db.exec('VACUUM')),
  'VACUUM INTO': (path) => {
    on(path, (db) => db.prepare('VACUUM INTO ?').run(`${path}.new`));
    replace(path);
  },
  [RENUMBERED]: (path) => on(path, renumber),
  'dump and restore': (path) => {
    dump(path, `${path}.new`);
    replace(path);
  },
};

export function on(path: string, work: (db: Database) => unknown): void {
  const db = new Database(path, { timeout: 15_000 });
  work(db);
  db.close();
}

/** Gives the chunks other row numbers, without telling the full-text index. */
function renumber(db: Database): void {
  const triggers = db
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'chunks'",
    )
    .all();
  db.transaction(() => {
    for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`);
    db.exec('UPDATE chunks SET rowid = rowid + 1000');
    for (const { sql } of triggers) db.exec(sql);
  })();
}

/** The specified tables alone, rows in another order, as a dump without the tables of the service. */
function dump(from: string, to: string): void {
  on(from, (old) => {
    const chunks = old.prepare('SELECT * FROM chunks ORDER BY id DESC').all();
    const vectors = old
      .prepare('SELECT chunk_id, embedding, model, created_at FROM embeddings')
      .all();
    on(to, (db) => {
      db.exec(SPECIFIED_SCHEMA);
      const columns = CHUNK_COLUMNS.join(', ');
      const values = CHUNK_COLUMNS.map((name) => `@${name}`).join(', ');
      const chunk = db.prepare(`INSERT INTO chunks (${columns}) VALUES (${values})`);
      const vector = db.prepare(
        'INSERT INTO embeddings VALUES (@chunk_id, @embedding, @model, @created_at)',
      );
      db.transaction(() => {
        for (const row of chunks) chunk.run(row);
        for (const row of vectors) vector.run(row);
      })();
    });
  });
}

function replace(path: string): void {
  for (const sidecar of ['-wal', '-shm']) rmSync(path + sidecar, { force: true });
  renameSync(`${path}.new`, path);
}
