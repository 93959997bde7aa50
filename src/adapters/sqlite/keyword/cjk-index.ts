import type { Database } from 'better-sqlite3';
import { bigramText, containsCjk } from '../../../domain/query/bigrams.js';
import { prepared } from '../database/prepared.js';
import { hasLongLetters, NOTE_CJK } from '../schema/schema.js';

/** Whether chunks were written that `store_cjk` does not have yet. */
export function isCjkIndexBehind(db: Database): boolean {
  return prepared(db, 'SELECT 1 FROM store_cjk_changes LIMIT 1').get() !== undefined;
}

/** Whether a chunk belongs in `store_cjk`, or FTS5 has a page of a part of it, deleted rows included. */
export function hasCjk(db: Database): boolean {
  if (prepared(db, `SELECT 1 FROM store_cjk_data WHERE id > ${RECORDS_MAX}`).get() !== undefined)
    return true;
  for (const text of db.prepare<[], string>(LONG_LETTERS).pluck().iterate()) {
    if (containsCjk(text)) return true;
  }
  return false;
}

/** Up to this number FTS5 keeps records of the whole index, beyond it pages of its parts. */
const RECORDS_MAX = 10;
const LONG_LETTERS = `SELECT coalesce(heading, '') || ' ' || content FROM chunks WHERE ${hasLongLetters('chunks')}`;

/** Makes `store_cjk` again. Must run in a write transaction. */
export function fillCjkIndex(db: Database): void {
  db.exec(NOTE_CJK);
  catchUpCjkIndex(db);
}

/** Takes the chunks into `store_cjk` that triggers have noted. Must run in a write transaction. */
export function catchUpCjkIndex(db: Database): void {
  const changes = prepared<[], ChangedText>(db, CHANGES).safeIntegers();
  const forget = prepared(db, 'DELETE FROM store_cjk_changes WHERE row = ?');
  const remove = prepared(db, 'DELETE FROM store_cjk WHERE rowid = ?');
  const insert = prepared(db, 'INSERT INTO store_cjk (rowid, content, heading) VALUES (?, ?, ?)');
  for (let texts = changes.all(); texts.length > 0; texts = changes.all()) {
    for (const { row, content, heading } of texts) {
      forget.run(row);
      remove.run(row);
      if (!containsCjk(content) && !containsCjk(heading)) continue;
      insert.run(row, bigramText(content), bigramText(heading));
    }
  }
}

interface ChangedText {
  readonly row: bigint;
  readonly content: string;
  readonly heading: string;
}

const CHANGES = `SELECT n.row, coalesce(CAST(c.content AS TEXT), '') AS content,
    coalesce(CAST(c.heading AS TEXT), '') AS heading
  FROM store_cjk_changes n LEFT JOIN chunks c ON c.rowid = n.row LIMIT 500`;
