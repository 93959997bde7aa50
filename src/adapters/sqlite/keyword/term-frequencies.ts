import type { Database } from 'better-sqlite3';
import { prepared } from '../database/prepared.js';

/** How often terms occur in the full-text index, as it is within the current transaction. */
export interface TermFrequencies {
  /** Chunks in the index. */
  readonly chunks: number;
  /** The number of chunks that match a term, given in the query language of FTS5. */
  of(match: string): number;
}

/**
 * Counting a term takes a tenth of the time of searching for it, so the counts are kept while the index stays
 * as it is.
 */
export function termFrequencies(db: Database): TermFrequencies {
  const version = indexVersion(db);
  const known = KNOWN.get(db);
  if (known?.version === version) return known.frequencies;
  const frequencies = newFrequencies(db);
  KNOWN.set(db, { version, frequencies });
  return frequencies;
}

const KNOWN = new WeakMap<
  Database,
  { readonly version: string; readonly frequencies: TermFrequencies }
>();

const MOST_KNOWN = 5000;

function newFrequencies(db: Database): TermFrequencies {
  const counts = new Map<string, number>();
  const count = prepared<[string], number>(
    db,
    'SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?',
  ).pluck();
  return {
    chunks: prepared<[], number>(db, 'SELECT count(*) FROM chunks_fts_docsize').pluck().get() ?? 0,
    of(match) {
      const found = counts.get(match) ?? count.get(match) ?? 0;
      if (counts.size >= MOST_KNOWN) counts.clear();
      counts.set(match, found);
      return found;
    },
  };
}

/**
 * Changes with every write to the index: the totals and the structure of its segments, which FTS5 keeps in two
 * rows (sqlite.org/fts5.html, "The FTS5 data table").
 */
function indexVersion(db: Database): string {
  return prepared<[], Buffer>(db, 'SELECT block FROM chunks_fts_data WHERE id IN (1, 10)')
    .pluck()
    .all()
    .map((block) => block.toString('base64'))
    .join(' ');
}
