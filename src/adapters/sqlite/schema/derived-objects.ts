import type { Database } from 'better-sqlite3';
import { isBrokenFullText, isForeignSchema } from '../database/sqlite-errors.js';
import {
  CHUNK_TRIGGERS,
  CJK_INDEX,
  CJK_TRIGGERS,
  EMBEDDING_TRIGGERS,
  FILL_TYPES,
  FORGET_CODES,
  FULL_TEXT_INDEX,
  INDEXES,
  NOTE_CJK,
  REBUILD_FULL_TEXT,
  TYPE_TRIGGERS,
} from './schema.js';
import { statementsOf } from './schema-reading.js';

/** Objects that can be rebuilt from the tables; if one is missing or differs, the whole group is recreated. */
interface Group {
  /** CREATE statements by the names of the objects. */
  readonly statements: Readonly<Record<string, string>>;
  /** Fills them from the tables. */
  readonly fill?: string;
}

/** What a search for words reads. */
const SEARCH_GROUPS: readonly Required<Group>[] = [
  { statements: TYPE_TRIGGERS, fill: FILL_TYPES },
  { statements: { chunks_fts: FULL_TEXT_INDEX, ...CHUNK_TRIGGERS }, fill: REBUILD_FULL_TEXT },
  /** What is noted here the next write takes in, or the next search that needs it. */
  { statements: { store_cjk: CJK_INDEX, ...CJK_TRIGGERS }, fill: NOTE_CJK },
];

const GROUPS: readonly Group[] = [
  { statements: INDEXES },
  { statements: EMBEDDING_TRIGGERS, fill: FORGET_CODES },
  ...SEARCH_GROUPS,
];

/** Recreates what a search for words reads. Must run in a write transaction. */
export function remakeSearchObjects(db: Database): void {
  for (const group of SEARCH_GROUPS) make(db, group);
}

/** Whether an index, a trigger or a full-text index is missing, is not what this service makes, or cannot be read. */
export function areDerivedObjectsOutdated(db: Database): boolean {
  return outdatedGroups(db).length > 0 || retiredObjects(db).length > 0;
}

/** Recreates the groups in which an object is missing or differs. Must run in a write transaction. */
export function repairDerivedObjects(db: Database): void {
  dropRetired(db);
  for (const group of outdatedGroups(db)) make(db, group);
}

/** Recreates all derived objects. Must run in a write transaction. */
export function remakeDerivedObjects(db: Database): void {
  dropRetired(db);
  for (const group of GROUPS) make(db, group);
}

function outdatedGroups(db: Database): readonly Group[] {
  const found = statementsOf(db);
  const isOutdated = ([name, sql]: readonly [string, string]) =>
    found.get(name) !== sql || (kindOf(sql) === FULL_TEXT && isLost(db, name));
  return GROUPS.filter(({ statements }) => Object.entries(statements).some(isOutdated));
}

/**
 * Whether FTS5 cannot open a full-text index, or the record of its parts names none although there are lengths of texts, which
 * FTS5 takes for an index of nothing.
 */
function isLost(db: Database, index: string): boolean {
  const parts = `SELECT 1 FROM ${index}_data WHERE id = 10 AND block > zeroblob(length(block))`;
  const lengths = `SELECT 1 FROM ${index}_docsize WHERE sz > zeroblob(length(sz))`;
  const isEmpty = `SELECT NOT EXISTS (${parts}) AND EXISTS (${lengths})`;
  try {
    db.prepare(`SELECT 1 FROM ${index}`);
    return db.prepare(isEmpty).pluck().get() === 1;
  } catch (error) {
    if (isBrokenFullText(error) || isForeignSchema(error)) return true;
    throw error;
  }
}

function retiredObjects(db: Database): readonly string[] {
  const found = statementsOf(db);
  return Object.keys(RETIRED).filter((name) => found.has(name));
}

/** A virtual table is taken out of the schema as it is: dropping it would need its module, and run that on what is stored. */
function dropRetired(db: Database): void {
  const retired = retiredObjects(db);
  if (retired.length === 0) return;
  withoutModule(db, 'store_neighbours', () => {
    for (const name of retired) db.exec(`DROP ${RETIRED[name]} IF EXISTS ${name}`);
  });
}

/** Takes a virtual table out of the schema without its module, and then drops what it leaves behind. */
function withoutModule(db: Database, name: string, dropOthers: () => void): void {
  db.unsafeMode(true);
  try {
    db.pragma('writable_schema = ON');
    db.prepare('DELETE FROM sqlite_master WHERE name = ? AND rootpage = 0').run(name);
    db.pragma('writable_schema = RESET');
    dropOthers();
  } finally {
    db.unsafeMode(false);
  }
}

/** Triggers are dropped before the index that they write to. */
function make(db: Database, { statements, fill = '' }: Group): void {
  const entries = Object.entries(statements);
  for (const [name, sql] of entries.toReversed()) {
    if (kindOf(sql) === FULL_TEXT) dropIndex(db, name);
    else db.exec(`DROP ${kindOf(sql)} IF EXISTS ${name}`);
  }
  for (const [, sql] of entries) db.exec(sql);
  db.exec(fill);
}

/** FTS5 does not drop an index that it cannot open. */
function dropIndex(db: Database, index: string): void {
  try {
    db.exec(`DROP TABLE IF EXISTS ${index}`);
  } catch (error) {
    if (!isBrokenFullText(error)) throw error;
    withoutModule(db, index, () => {
      for (const part of FTS5_TABLES) db.exec(`DROP TABLE IF EXISTS ${index}_${part}`);
    });
  }
}

/** In which FTS5 keeps an index (sqlite.org/fts5.html, "FTS5 Data Structures"). */
const FTS5_TABLES = ['data', 'idx', 'content', 'docsize', 'config'];

const FULL_TEXT = 'VIRTUAL';

/** `INDEX`, `TRIGGER`, or `VIRTUAL` of a full-text index. */
function kindOf(statement: string): string {
  return /^CREATE (\w+)/.exec(statement)?.[1] ?? '';
}

/** What former releases have made, and this one drops: name and type, in the order of dropping. */
export const RETIRED: Readonly<Record<string, string>> = {
  embeddings_bi: 'trigger',
  store_vector_changes: 'table',
  store_neighbours: 'table',
  store_neighbours_info: 'table',
  store_neighbours_chunks: 'table',
  store_neighbours_rowids: 'table',
  store_neighbours_vector_chunks00: 'table',
};
