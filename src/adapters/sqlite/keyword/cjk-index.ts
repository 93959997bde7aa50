import type { Database } from 'better-sqlite3';
import { bigramText, containsCjk } from '../../../domain/query/bigrams.js';
import { prepared } from '../database/prepared.js';
import { hasLongLetters } from '../schema/schema.js';

/** Whether chunks were written that `store_cjk` does not have yet. */
export function isCjkIndexBehind(db: Database): boolean {
  return prepared(db, 'SELECT 1 FROM store_cjk_changes LIMIT 1').get() !== undefined;
}

/** Rebuilds `store_cjk`. Must run in a write transaction. */
export function fillCjkIndex(db: Database): void {
  db.exec(NOTE_ALL);
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

const NOTE_ALL = `INSERT INTO store_cjk(store_cjk) VALUES ('delete-all');
  DELETE FROM store_cjk_changes;
  INSERT INTO store_cjk_changes(row) SELECT rowid FROM chunks WHERE ${hasLongLetters('chunks')}`;

interface ChangedText {
  readonly row: bigint;
  readonly content: string;
  readonly heading: string;
}

const CHANGES = `SELECT n.row, coalesce(c.content, '') AS content, coalesce(c.heading, '') AS heading
  FROM store_cjk_changes n LEFT JOIN chunks c ON c.rowid = n.row LIMIT 500`;
