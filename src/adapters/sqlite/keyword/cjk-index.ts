import type { Database } from 'better-sqlite3';
import { bigramText, containsCjk } from '../../../domain/query/bigrams.js';
import { prepared } from '../database/prepared.js';

/** Whether chunks were written that `store_cjk` does not have yet. */
export function isCjkIndexBehind(db: Database): boolean {
  return prepared(db, 'SELECT 1 FROM store_cjk_changes LIMIT 1').get() !== undefined;
}

/** Takes the chunks into `store_cjk` that triggers have noted. Must run in a write transaction. */
export function catchUpCjkIndex(db: Database): void {
  while (catchUpSome(db));
}

/** The same for some of them; returns whether there may be more. */
export function catchUpSome(db: Database): boolean {
  const texts = prepared<[], ChangedText>(db, CHANGES).all();
  const forget = prepared(db, 'DELETE FROM store_cjk_changes WHERE row = ?');
  const remove = prepared(db, 'DELETE FROM store_cjk WHERE rowid = ?');
  const insert = prepared(db, 'INSERT INTO store_cjk (rowid, content, heading) VALUES (?, ?, ?)');
  for (const { row, content, heading } of texts) {
    forget.run(row);
    remove.run(row);
    if (!containsCjk(content) && !containsCjk(heading)) continue;
    insert.run(row, bigramText(content), bigramText(heading));
  }
  return texts.length > 0;
}

interface ChangedText {
  readonly row: number;
  readonly content: string;
  readonly heading: string;
}

const CHANGES = `SELECT n.row, coalesce(CAST(c.content AS TEXT), '') AS content,
    coalesce(CAST(c.heading AS TEXT), '') AS heading
  FROM store_cjk_changes n LEFT JOIN chunks c ON c.rowid = n.row LIMIT 500`;
