import type { Database } from 'better-sqlite3';

/** Small facts about a store, in the table `store_state`; undefined where one was never set. */
export function stateOf(db: Database, name: string): unknown {
  return db.prepare('SELECT value FROM store_state WHERE name = ?').pluck().get(name);
}

export function setState(db: Database, name: string, value: string): void {
  db.prepare(
    `INSERT INTO store_state (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ).run(name, value);
}

export function clearState(db: Database, name: string): void {
  db.prepare('DELETE FROM store_state WHERE name = ?').run(name);
}
