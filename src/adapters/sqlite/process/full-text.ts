import type { Database } from '../database/driver.js';
import { isDamage } from '../database/errors.js';
import { fillSideWords } from '../keyword/side-words.js';

/** Builds all that a search for words reads again, from the chunks and the names of their sources. */
export function rebuildFullText(db: Database): void {
  db.exec(`INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild');
    INSERT INTO store_name_words(store_name_words) VALUES ('rebuild')`);
  fillSideWords(db);
}

/** FTS5's own comparison of the three tables with their contents, which is an INSERT. */
export function isFullTextSound(db: Database): boolean {
  try {
    for (const table of ['chunks_fts', 'store_name_words', 'side_words']) {
      db.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('integrity-check', 1)`);
    }
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}
