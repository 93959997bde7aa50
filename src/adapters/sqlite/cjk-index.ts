import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { bigramText, holdsCjk } from '../../domain/bigrams.js';
import { CJK_INDEX } from './schema.js';
import { clearState, setState, stateOf } from './store-state.js';

/** A chunk as far as it is searched. */
export interface IndexedText {
  readonly rowid: number | bigint;
  readonly heading: string | null;
  readonly content: string;
}

/** Whether there is an index of ours; a read-only database may have none. */
export function hasCjkIndex(db: Database): boolean {
  const sql = db
    .prepare<[], string>("SELECT sql FROM sqlite_master WHERE name = 'store_cjk'")
    .pluck()
    .get();
  return sql === CJK_INDEX;
}

/** Whether another program wrote chunks since the index was last brought up to date; cheap. */
export function isCjkIndexBehind(db: Database): boolean {
  return !hasCjkIndex(db) || markOf(db) !== JSON.stringify(positionOf(db));
}

/**
 * Brings in the chunks that others wrote, and drops those that are gone; inside a write transaction,
 * which it leaves in pieces so that the event loop goes on.
 */
export async function catchUpCjkIndex(db: Database): Promise<void> {
  if (!isCjkIndexBehind(db)) return;
  if (!hasCjkIndex(db)) makeAnew(db);
  db.exec('DELETE FROM store_cjk WHERE rowid NOT IN (SELECT rowid FROM chunks)');
  const rowids = changedSince(db, markOf(db));
  for (let done = 0; done < rowids.length; done += ROWS_AT_ONCE) {
    indexAgain(db, rowids.slice(done, done + ROWS_AT_ONCE));
    await setImmediate();
  }
  setMark(db);
}

/** Makes the index anew from the chunks; inside a write transaction. */
export async function rebuildCjkIndex(db: Database): Promise<void> {
  makeAnew(db);
  await catchUpCjkIndex(db);
}

/**
 * Runs a change of chunks that itself keeps the index in step, by the two functions below; inside a
 * write transaction.
 */
export async function changeChunks<T>(db: Database, change: () => T): Promise<T> {
  await catchUpCjkIndex(db);
  const result = change();
  setMark(db);
  return result;
}

/** Adds a chunk that is not in the index. */
export function addToCjkIndex(db: Database, { rowid, heading, content }: IndexedText): void {
  if (!holdsCjk(content) && !holdsCjk(heading ?? '')) return;
  db.prepare('INSERT INTO store_cjk (rowid, heading, content) VALUES (?, ?, ?)').run(
    rowid,
    bigramText(heading ?? ''),
    bigramText(content),
  );
}

/** Removes chunks by their ids; to be called while they are still there. */
export function removeFromCjkIndex(db: Database, ids: readonly string[]): void {
  db.prepare(
    `DELETE FROM store_cjk WHERE rowid IN (
       SELECT c.rowid FROM json_each(?) j JOIN chunks c ON c.id = j.value)`,
  ).run(JSON.stringify(ids));
}

const ROWS_AT_ONCE = 200;
const MARK = 'cjk_indexed_to';

/**
 * What changes when another program writes chunks: the last row, and the latest update. A text that
 * it changes without `updated_at` is found as before until the next rebuild.
 */
interface Position {
  readonly rowid: number;
  readonly id: string | null;
  readonly updatedAt: string;
  readonly lastUpdate: string;
}

function positionOf(db: Database): Position {
  const lastUpdate = db
    .prepare<[], string>("SELECT coalesce(max(updated_at), '') FROM chunks")
    .pluck()
    .get();
  const last = db
    .prepare<[], Pick<Position, 'rowid' | 'id' | 'updatedAt'>>(
      'SELECT rowid, id, updated_at AS updatedAt FROM chunks ORDER BY rowid DESC LIMIT 1',
    )
    .get();
  return { rowid: 0, id: null, updatedAt: '', ...last, lastUpdate: lastUpdate ?? '' };
}

function markOf(db: Database): unknown {
  return stateOf(db, MARK);
}

function setMark(db: Database): void {
  setState(db, MARK, JSON.stringify(positionOf(db)));
}

/** Dropped, not emptied, so that one that another program made otherwise goes as well. */
function makeAnew(db: Database): void {
  db.exec(`DROP TABLE IF EXISTS store_cjk; ${CJK_INDEX}`);
  clearState(db, MARK);
}

/**
 * The rowids of chunks that came after a mark; all of them where there is none. Rows of this service
 * are in the index already; the time that another wrote may lack its hour's `T`, so days are compared.
 */
function changedSince(db: Database, mark: unknown): readonly number[] {
  return db
    .prepare<[{ readonly mark: unknown }], number>(
      `SELECT rowid FROM chunks c WHERE @mark = '{}' OR rowid > @mark ->> 'rowid'
         OR (updated_at >= substr(@mark ->> 'lastUpdate', 1, 10)
           AND NOT EXISTS (SELECT 1 FROM store_owned o WHERE o.chunk_id = c.id))
       ORDER BY rowid`,
    )
    .pluck()
    .all({ mark: mark ?? '{}' });
}

function indexAgain(db: Database, rowids: readonly number[]): void {
  const list = JSON.stringify(rowids);
  db.prepare('DELETE FROM store_cjk WHERE rowid IN (SELECT value FROM json_each(?))').run(list);
  const rows = db
    .prepare<[string], IndexedText>(
      `SELECT c.rowid, CAST(c.heading AS TEXT) AS heading, CAST(c.content AS TEXT) AS content
       FROM json_each(?) j JOIN chunks c ON c.rowid = j.value`,
    )
    .all(list);
  for (const row of rows) addToCjkIndex(db, row);
}
