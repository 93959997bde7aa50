import type { Database } from 'better-sqlite3';
import { EMBEDDED_MAX_CHARACTERS } from '../../../domain/limits.js';
import { isDamage } from '../database/sqlite-errors.js';

/** A kind of rows that should not be there. Statements may use the parameter `@model`. */
export interface RowCheck {
  /** Counts them. */
  readonly count: string;
  /** Removes what is derived of them; absent if nothing is. */
  readonly repair?: string;
  readonly problem: (count: number) => string;
  readonly advice: string;
}

const NO_CHUNK = 'NOT EXISTS (SELECT 1 FROM chunks c WHERE c.id = chunk_id)';
const USELESS_VECTOR = '(model = @model AND NOT is_vector(embedding))';
const USELESS_QUESTION_VECTOR = 'hype_embeddings IS NOT NULL AND NOT is_vector(hype_embeddings)';
const USELESS_QUESTIONS = `hype_queries IS NOT NULL AND (
  octet_length(hype_queries) > ${EMBEDDED_MAX_CHARACTERS} OR NOT json_valid(hype_queries))`;

export const ROW_CHECKS: readonly RowCheck[] = [
  {
    count: `SELECT count(*) FROM embeddings WHERE ${NO_CHUNK}`,
    repair: `DELETE FROM embeddings WHERE ${NO_CHUNK}`,
    problem: (count) => `${counted(count, 'vector')} of chunks that no longer exist.`,
    advice: 'They can be deleted.',
  },
  {
    count: `SELECT count(*) FROM store_owned WHERE ${NO_CHUNK}`,
    repair: `DELETE FROM store_owned WHERE ${NO_CHUNK}`,
    problem: (count) => `${counted(count, 'ownership mark')} of chunks that no longer exist.`,
    advice: 'They can be deleted.',
  },
  {
    count: `SELECT count(*) FROM embeddings WHERE ${USELESS_VECTOR}`,
    repair: `DELETE FROM embeddings WHERE ${USELESS_VECTOR}`,
    problem: (count) =>
      `${counted(count, 'vector')} with a wrong size or values that are no numbers.`,
    advice: 'They can be deleted; the background work makes them again.',
  },
  {
    count: `SELECT count(*) FROM chunks WHERE ${USELESS_QUESTION_VECTOR}`,
    repair: `UPDATE chunks SET hype_embeddings = NULL WHERE ${USELESS_QUESTION_VECTOR}`,
    problem: (count) =>
      `${counted(count, 'vector')} of questions with a wrong size or values that are no numbers.`,
    advice: 'They can be deleted; the background work makes them again.',
  },
  {
    count: `SELECT count(*) FROM chunks WHERE ${USELESS_QUESTIONS}`,
    repair: `UPDATE chunks SET hype_queries = NULL, hype_embeddings = NULL
      WHERE ${USELESS_QUESTIONS}`,
    problem: (count) => `${counted(count, 'list')} of questions that cannot be read.`,
    advice: 'They can be deleted; the background work makes them again.',
  },
  {
    count: `SELECT count(*) FROM (SELECT rowid FROM embeddings EXCEPT SELECT row FROM store_codes)`,
    repair: 'INSERT OR IGNORE INTO store_codes(row) SELECT rowid FROM embeddings',
    problem: (count) => `${counted(count, 'vector')} that searches among many do not look at.`,
    advice: 'They can be noted; the next search makes their codes.',
  },
  {
    count: `SELECT count(*) FROM chunks WHERE typeof(id) <> 'text'`,
    problem: (count) => `${counted(count, 'chunk')} of another program without an id.`,
    advice: 'They are never found; have the program that wrote them give them ids.',
  },
];

/** Whether a full-text index fails FTS5's own comparison, of the words also with the rows. */
export function isFullTextOutOfStep(db: Database): boolean {
  const checks = [
    "INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('integrity-check', 1)",
    "INSERT INTO store_cjk(store_cjk) VALUES ('integrity-check')",
  ];
  return checks.some((check) => fails(db, check));
}

function fails(db: Database, check: string): boolean {
  try {
    db.exec(check);
    return false;
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  }
}

function counted(count: number, noun: string): string {
  return count === 1 ? `There is 1 ${noun}` : `There are ${count} ${noun}s`;
}
