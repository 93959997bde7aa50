import type { Database } from 'better-sqlite3';
import { NAME_WEIGHT } from '../../../domain/limits.js';
import { asBigrams, type Expression } from '../../../domain/query/expression.js';
import type { KeywordQuery } from '../../../ports/keyword-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import { prepared } from '../database/prepared.js';
import { type RankedRow, rankedRows, toFtsMatch } from './match-list.js';

/** The chunks of the sources whose names match best, with what that adds to their scores (negative, lower is better). */
export function rowsByName(db: Database, search: KeywordQuery): readonly RankedRow[] {
  const match = nameMatch(db, search.expression);
  if (match === undefined) return [];
  const condition = chunkCondition(search.filter);
  return rankedRows(
    db,
    `SELECT c.rowid AS number, best.score FROM (
       SELECT n.source_file, ${SCORE} AS score
       FROM store_name_words JOIN store_names n ON n.id = store_name_words.rowid
       WHERE store_name_words MATCH ? ORDER BY score LIMIT ${SOURCES}
     ) best CROSS JOIN chunks c ON c.source_file = best.source_file
     WHERE ${condition?.sql ?? 'true'} LIMIT ${ROWS}`,
    [match, ...(condition?.parameters ?? [])],
  );
}

const SCORE = `${NAME_WEIGHT} * bm25(store_name_words)`;

/** So many sources, and chunks of them, are looked at. */
const SOURCES = 50;
const ROWS = 500;

/** Undefined where no name matches. */
function nameMatch(db: Database, expression: Expression): string | undefined {
  const match = toFtsMatch(asBigrams(expression));
  const isAny = prepared(
    db,
    'SELECT 1 FROM store_name_words WHERE store_name_words MATCH ? LIMIT 1',
  );
  return match !== '' && isAny.get(match) !== undefined ? match : undefined;
}
