import type { Database } from 'better-sqlite3';
import { bigramText, containsCjk } from '../../../domain/query/bigrams.js';
import { changesOf, prepared } from '../database/prepared.js';
import { clearState } from '../database/store-state.js';
import { CJK_INDEX } from '../schema/schema.js';

/** The searched columns of a chunk. */
export interface IndexedText {
  readonly rowid: number | bigint;
  readonly heading: string | null;
  readonly content: string;
}

/** Whether the table `store_cjk` exists; a read-only database may lack it. */
export function hasCjkIndex(db: Database): boolean {
  return readState(db).sql === CJK_INDEX;
}

/** Whether another program wrote chunks since the index was last updated. A cheap check. */
export function isCjkIndexBehind(db: Database): boolean {
  const { sql, mark, position } = readState(db);
  return sql !== CJK_INDEX || mark === null || mark !== position;
}

/** Adds the chunks that another program wrote, and removes those that no longer exist. Must run in a write transaction. */
export function catchUpCjkIndex(db: Database): void {
  if (!isCjkIndexBehind(db)) return;
  if (!hasCjkIndex(db)) recreateTable(db);
  db.exec('DELETE FROM store_cjk WHERE rowid NOT IN (SELECT rowid FROM chunks)');
  indexChanges(db, readState(db).mark);
  setMark(db);
}

/** Builds the index again from all chunks. Must run in a write transaction. */
export function rebuildCjkIndex(db: Database): void {
  recreateTable(db);
  catchUpCjkIndex(db);
}

/**
 * Runs changes of chunks that keep the index up to date themselves, with `cjkIndexer` and
 * `removeFromCjkIndex`. Must run in a write transaction.
 */
export async function changeChunks<T>(db: Database, change: () => T | Promise<T>): Promise<T> {
  catchUpCjkIndex(db);
  const before = changesOf(db);
  const result = await change();
  if (changesOf(db) > before) setMark(db);
  return result;
}

/** Returns a function that adds chunks that are not in the index yet. */
export function cjkIndexer(db: Database): (text: IndexedText) => void {
  const insert = prepared(db, 'INSERT INTO store_cjk (rowid, content, heading) VALUES (?, ?, ?)');
  return ({ rowid, heading, content }) => {
    if (!containsCjk(content) && !containsCjk(heading ?? '')) return;
    insert.run(rowid, bigramText(content), bigramText(heading ?? ''));
  };
}

/** Removes chunks by their ids; must be called before their rows are deleted. */
export function removeFromCjkIndex(db: Database, ids: readonly string[]): void {
  prepared(
    db,
    `DELETE FROM store_cjk WHERE rowid IN (
       SELECT c.rowid FROM json_each(?) j JOIN chunks c ON c.id = j.value)`,
  ).run(JSON.stringify(ids));
}

const MARK = 'cjk_indexed_to';

/**
 * A JSON object with the last row and the latest update of `chunks`: if another program writes chunks,
 * one of them changes. If it changes a
 * text but not `updated_at`, the old text is found until the next rebuild.
 */
const POSITION = `SELECT json_object('rowid', rowid, 'id', CAST(id AS TEXT),
    'updatedAt', CAST(updated_at AS TEXT),
    'lastUpdate', CAST((SELECT max(updated_at) FROM chunks) AS TEXT))
  FROM chunks ORDER BY rowid DESC LIMIT 1`;

interface State {
  readonly sql: string | null;
  /** The position when the index was last updated; null if that is unknown. */
  readonly mark: string | null;
  /** Where the table `chunks` is now, as {@link POSITION} describes it. */
  readonly position: string;
}

/** Ignores a mark that another program made invalid. */
const VALID_MARK = `CASE WHEN value = '{}' THEN value WHEN NOT json_valid(value) THEN NULL
  WHEN json_type(value, '$.rowid') = 'integer' THEN value END`;

function readState(db: Database): State {
  const state = prepared<[string], State>(
    db,
    `SELECT (SELECT sql FROM sqlite_master WHERE name = 'store_cjk') AS sql,
         (SELECT ${VALID_MARK} FROM store_state WHERE name = ?) AS mark,
         coalesce((${POSITION}), '{}') AS position`,
  ).get(MARK);
  return state ?? { sql: null, mark: null, position: '' };
}

function setMark(db: Database): void {
  prepared(
    db,
    `INSERT INTO store_state (name, value) SELECT ?, coalesce((${POSITION}), '{}') WHERE true
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ).run(MARK);
}

/** Drops the table instead of emptying it, because another program may have created it differently. */
function recreateTable(db: Database): void {
  db.exec(`DROP TABLE IF EXISTS store_cjk; ${CJK_INDEX}`);
  clearState(db, MARK);
}

/**
 * Adds the chunks that were written after a mark; all chunks without a mark. Rows of this service are already in the
 * index. Of `updated_at` only the date is compared: another program may separate date and time by a space instead of `T`.
 */
function indexChanges(db: Database, mark: string | null): void {
  const rowids = prepared<[{ readonly mark: string }], number>(
    db,
    `SELECT rowid FROM chunks c WHERE @mark = '{}' OR rowid > @mark ->> 'rowid'
         OR (updated_at >= substr(@mark ->> 'lastUpdate', 1, 10)
           AND NOT EXISTS (SELECT 1 FROM store_owned o WHERE o.chunk_id = c.id))
       ORDER BY rowid`,
  )
    .pluck()
    .all({ mark: mark ?? '{}' });
  const remove = prepared(db, 'DELETE FROM store_cjk WHERE rowid = ?');
  const textOf = prepared<[number], IndexedText>(
    db,
    `SELECT rowid, CAST(heading AS TEXT) AS heading, CAST(content AS TEXT) AS content
     FROM chunks WHERE rowid = ?`,
  );
  const addToCjkIndex = cjkIndexer(db);
  for (const rowid of rowids) {
    remove.run(rowid);
    const text = textOf.get(rowid);
    if (text !== undefined) addToCjkIndex(text);
  }
}
