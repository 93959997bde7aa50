import type { ImportCounts } from '../../../ports/chunk-import.js';
import { fillSideWords } from '../chunks/side-words.js';
import { addMissingNames } from '../chunks/source-rows.js';
import { attachFile } from '../database/connection.js';
import type { Database } from '../database/driver.js';
import { readSize } from '../database/files.js';
import { LEFT_OUT, QUESTION_MODEL, setState } from '../database/store-state.js';
import { ROW_TRIGGERS } from '../schema/triggers.js';
import { type Columns, otherObjects, readColumns } from './former-schema.js';
import {
  addFunctions,
  chunkReason,
  INSERT_SOURCES,
  insertChunks,
  insertVectors,
  vectorReason,
} from './row-statements.js';

export interface TakingOptions {
  readonly projectPath: string;
  /** If set, question vectors of another model are left out. */
  readonly model?: string;
  /** The number of values of a vector. */
  readonly dimensions: number;
}

/** Counts of adopted rows, and a description of the rest. */
export interface Taken extends Omit<ImportCounts, 'skipped'> {
  readonly leftOut: readonly string[];
}

/**
 * Copies the rows of `chunks` and `embeddings` that fit the specification's columns from another database into a new
 * one of ours. Reads only stored columns of ordinary tables, and no indexes, so nothing that the other database defines
 * is run.
 */
export function takeRows(db: Database, path: string, options: TakingOptions): Taken {
  db.pragma('busy_timeout = 15000'); // waits for the program that made the database
  addFunctions(db, { ...options, contentBytes: contentLimit(path) });
  attachFile(db, path);
  try {
    for (const { name } of ROW_TRIGGERS) db.exec(`DROP TRIGGER ${name}`);
    db.exec('BEGIN');
    const taken = copyRows(db, options);
    db.exec('COMMIT');
    return taken;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  } finally {
    db.exec('DETACH former');
  }
}

/**
 * Limits the copied content in bytes. The size of the file is no limit: a program can store a page once and refer to it
 * from many rows.
 */
function contentLimit(path: string): number {
  return 4 * (readSize(path) + readSize(`${path}-wal`)) + 64 * 1024 * 1024;
}

function copyRows(db: Database, options: TakingOptions): Taken {
  const columns = readColumns(db, 'chunks');
  const missing = REQUIRED.filter((name) => !columns.has(name)).map((name) => `"${name}"`);
  const leftOut = [...otherObjects(db)];
  if (missing.length > 0) {
    leftOut.push(`it has no table "chunks" with ${missing.join(', ')}`);
    return finishTaking(db, { chunks: 0, vectors: 0, questions: 0, leftOut });
  }
  const chunks = copyChunks(db, columns, options);
  leftOut.push(...leftOutChunks(db, chunks));
  const { questions, questionVectors } = countQuestions(db);
  const noted = options.model ?? questionModel(db);
  if (noted !== undefined && questionVectors > 0) setState(db, QUESTION_MODEL, noted);
  const vectors = copyVectors(db, leftOut) + questionVectors;
  copySources(db);
  return finishTaking(db, { chunks, vectors, questions, leftOut });
}

const REQUIRED = ['id', 'source_type', 'source_file', 'content'];

function copyChunks(db: Database, columns: Columns, { projectPath, model }: TakingOptions): number {
  const former = questionModel(db);
  const isOther = former !== undefined && model !== undefined && former !== model;
  const questionVectors = isOther ? 'left' : 'taken';
  const now = new Date().toISOString();
  return db.prepare(insertChunks(columns, questionVectors)).run({ projectPath, now }).changes;
}

/** Counts both in one pass, since reading all chunks once takes as long as copying many. */
function countQuestions(db: Database) {
  const counts = db
    .prepare<[], readonly [questions: number, questionVectors: number]>(
      'SELECT count(hype_queries), count(hype_embeddings) FROM main.chunks',
    )
    .raw()
    .get();
  return { questions: counts?.[0] ?? 0, questionVectors: counts?.[1] ?? 0 };
}

/** Describes the rows of `chunks` that were not copied. Reads them again only if some were left out. */
function leftOutChunks(db: Database, copied: number): readonly string[] {
  if (copied === rowCount(db, 'chunks')) return [];
  const { fitting, sentences } = reasonCounts(db, 'chunks', chunkReason());
  if (fitting === copied) return sentences;
  const others = `${fitting - copied} rows of "chunks" exceed the limit, or repeat the id of another one`;
  return [...sentences, others];
}

/** The model of the question vectors, which our own releases record. */
function questionModel(db: Database): string | undefined {
  const columns = readColumns(db, 'store_state');
  if (!columns.has('name') || !columns.has('value')) return undefined;
  return db
    .prepare<[], string>(
      `SELECT value FROM former.store_state NOT INDEXED
       WHERE name = '${QUESTION_MODEL}' AND is_name(value) LIMIT 1`,
    )
    .pluck()
    .get();
}

function copyVectors(db: Database, leftOut: string[]): number {
  const columns = readColumns(db, 'embeddings');
  if (columns.size === 0) return 0;
  if (!['chunk_id', 'embedding', 'model'].every((name) => columns.has(name))) {
    leftOut.push('its table "embeddings" lacks a column');
    return 0;
  }
  const now = new Date().toISOString();
  const { changes } = db.prepare(insertVectors(columns)).run({ now });
  if (changes < rowCount(db, 'embeddings')) {
    leftOut.push(...reasonCounts(db, 'embeddings', vectorReason()).sentences);
  }
  return changes;
}

/**
 * Copies the indexed sources of a database of this service. Their hash is empty, so that the next ingestion compares
 * all chunks.
 */
function copySources(db: Database): void {
  const columns = readColumns(db, 'store_sources');
  if (columns.has('source_file') && columns.has('source_type')) db.exec(INSERT_SOURCES);
}

function finishTaking(db: Database, taken: Taken): Taken {
  const files = db
    .prepare<[], string>('SELECT DISTINCT source_file FROM main.chunks')
    .pluck()
    .all();
  addMissingNames(db, files);
  db.exec("INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild')");
  fillSideWords(db);
  for (const { sql } of ROW_TRIGGERS) db.exec(sql);
  if (taken.leftOut.length > 0) setState(db, LEFT_OUT, JSON.stringify(taken.leftOut));
  return taken;
}

/** Counts the rows of a table that fit, and describes the others in one sentence per reason. */
function reasonCounts(db: Database, table: string, reason: string) {
  const rows = db
    .prepare<[], readonly [reason: string | null, count: number]>(
      `SELECT ${reason} AS reason, count(*) FROM former.${table} NOT INDEXED GROUP BY reason`,
    )
    .raw()
    .all();
  return {
    fitting: rows.find(([why]) => why === null)?.[1] ?? 0,
    sentences: rows.flatMap(([why, count]) =>
      why === null ? [] : [`${count} rows of "${table}" that ${why}`],
    ),
  };
}

function rowCount(db: Database, table: string): number {
  const count = db.prepare<[], number>(`SELECT count(*) FROM former.${table} NOT INDEXED`);
  return count.pluck().get() ?? 0;
}
