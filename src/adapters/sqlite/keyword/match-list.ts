import type { Database } from 'better-sqlite3';
import {
  asBigrams,
  asWords,
  type Expression,
  hasTermsInRuns,
} from '../../../domain/query/expression.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import { chunkCondition } from '../rows/chunk-condition.js';
import { hasCjkIndex } from './cjk-index.js';
import { toFtsMatch } from './fts-match.js';

/** A query, or a part of one, and what it is bound to. */
export interface Sql {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** A further condition on the rows of an index table. */
export type Restriction = (table: string) => Sql;

/**
 * The rowids and FTS5 scores (negative, lower is better) of the chunks that match. A chunk that both
 * indexes find has the better of its two scores.
 */
export function matchesOf(db: Database, expression: Expression, restriction: Restriction): Sql {
  const words = matchIn('chunks_fts', asWords(expression), restriction);
  if (!hasTermsInRuns(expression) || !hasCjkIndex(db)) return words;
  const bigrams = matchIn('store_cjk', asBigrams(expression), restriction);
  return {
    sql: `SELECT number, min(score) AS score FROM (${words.sql} UNION ALL ${bigrams.sql})
          GROUP BY number`,
    parameters: [...words.parameters, ...bigrams.parameters],
  };
}

/** Matches nothing. FTS5 accepts a phrase without a token, but not an empty query. */
const NOTHING = '""';

function matchIn(table: string, expression: Expression, restriction: Restriction): Sql {
  const { sql, parameters } = restriction(table);
  return {
    sql: `SELECT rowid AS number, bm25(${table}) AS score FROM ${table}
          WHERE ${table} MATCH ? ${sql}`,
    parameters: [toFtsMatch(expression) || NOTHING, ...parameters],
  };
}

/** Only these rows, by rowid. The `+` keeps SQLite from running the query once per row. */
export function oneOfRows(rowids: readonly number[]): Restriction {
  return (table) => ({
    sql: `AND +${table}.rowid IN (SELECT value FROM json_each(?))`,
    parameters: [JSON.stringify(rowids)],
  });
}

/** Always applied to `store_cjk`, because no trigger removes rows of chunks that another program deleted. */
export function filteredBy(filter: ChunkFilter): Restriction {
  const condition = chunkCondition(filter);
  return (table) => {
    if (condition === undefined && table === 'chunks_fts') return { sql: '', parameters: [] };
    const { sql, parameters } = condition ?? { sql: 'true', parameters: [] };
    return {
      sql: `AND EXISTS (SELECT 1 FROM chunks c WHERE c.rowid = ${table}.rowid AND ${sql})`,
      parameters,
    };
  };
}
