import type { Database } from 'better-sqlite3';
import { findSideWords } from '../../../domain/query/side-words.js';
import { damageError } from '../database/errors.js';
import { prepareOnce } from '../database/statements.js';
import { hasLongLetters } from '../schema/triggers.js';

/** Whether chunks are still queued for `side_words`. */
export function areSideWordsBehind(db: Database): boolean {
  return prepareOnce(db, 'SELECT 1 FROM side_words_changes LIMIT 1').get() !== undefined;
}

/** Rebuilds `side_words`. Must run in a write transaction. */
export function fillSideWords(db: Database): void {
  db.exec(NOTE_ALL);
  while (catchUpSideWords(db) === 'more');
}

/**
 * Adds some of the chunks that triggers have queued to `side_words`. Returns whether there may be more: another program
 * can queue hundreds of thousands. Must run in a write transaction.
 */
export function catchUpSideWords(db: Database): 'more' | 'done' {
  const changes = prepareOnce<[], ChangedText>(db, CHANGES).safeIntegers();
  const forget = prepareOnce(db, 'DELETE FROM side_words_changes WHERE row = ?');
  const remove = prepareOnce(db, 'DELETE FROM side_words WHERE rowid = ?');
  const insert = prepareOnce(
    db,
    'INSERT INTO side_words (rowid, content, heading, extra) VALUES (?, ?, ?, ?)',
  );
  const texts = changes.all();
  for (const { row, ...text } of texts) {
    if (forget.run(row).changes === 0) throw damageError('side_words_changes');
    remove.run(row);
    const side = findSideWords(text);
    if (side !== undefined) insert.run(row, side.content, side.heading, side.extra);
  }
  return texts.length < AT_ONCE ? 'done' : 'more';
}

const AT_ONCE = 500;

const NOTE_ALL = `INSERT INTO side_words(side_words) VALUES ('delete-all');
  DELETE FROM side_words_changes;
  INSERT INTO side_words_changes(row) SELECT rowid FROM chunks WHERE ${hasLongLetters('chunks')}`;

interface ChangedText {
  readonly row: bigint;
  readonly content: string;
  readonly heading: string;
}

const CHANGES = `SELECT n.row, coalesce(c.content, '') AS content, coalesce(c.heading, '') AS heading
  FROM side_words_changes n LEFT JOIN chunks c ON c.rowid = n.row LIMIT ${AT_ONCE}`;
