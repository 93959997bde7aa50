import type { Database } from 'better-sqlite3';
import { NAME_WEIGHT } from '../../../domain/limits.js';
import { asBigrams } from '../../../domain/query/expression.js';
import type { KeywordQuery } from '../../../ports/keyword-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import { type RankedRow, rankedRows, toFtsMatch } from './match-list.js';

/** The chunks of the sources whose names match best, with what that adds to their scores (negative, lower is better). */
export function rowsByName(db: Database, search: KeywordQuery): readonly RankedRow[] {
  const match = toFtsMatch(asBigrams(search.expression));
  if (match === '') return [];
  const condition = chunkCondition(search.filter);
  return rankedRows(
    db,
    `SELECT c.rowid AS number, best.score FROM (
       SELECT rowid AS id, ${SCORE} AS score FROM store_name_words
       WHERE store_name_words MATCH ? ORDER BY score LIMIT ${SOURCES}
     ) best CROSS JOIN store_names n ON n.id = best.id
     CROSS JOIN chunks c ON c.source_file = n.source_file
     WHERE ${condition?.sql ?? 'true'} LIMIT ${ROWS}`,
    [match, ...(condition?.parameters ?? [])],
  );
}

const SCORE = `${NAME_WEIGHT} * bm25(store_name_words)`;

/** So many sources, and chunks of them, are looked at. */
const SOURCES = 50;
const ROWS = 500;
