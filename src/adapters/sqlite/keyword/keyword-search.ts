import type { Database } from 'better-sqlite3';
import {
  asBigrams,
  asWords,
  type Expression,
  hasTermsInRuns,
} from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import { chunkCondition } from '../rows/chunk-condition.js';
import { type ChunkRow, HAS_ID, toChunk, WHOLE_CHUNK_COLUMNS } from '../rows/chunk-rows.js';
import { hasCjkIndex } from './cjk-index.js';
import { toFtsMatch } from './fts-match.js';

export interface KeywordSearch {
  readonly expression: Expression;
  readonly filter: ChunkFilter;
  readonly limit: number;
}

/** The chunks that match, best first. Ranked before the join with `chunks`, which is 3 to 4 times faster. */
export function findScoredChunks(db: Database, search: KeywordSearch): readonly ScoredChunk[] {
  const list = bestOf(db, search.expression, filteredBy(search.filter));
  return db
    .prepare<unknown[], ChunkRow & { readonly relevance: number }>(
      `SELECT ${WHOLE_CHUNK_COLUMNS}, -best.score AS relevance FROM (
         ${list.sql} ORDER BY score, number LIMIT ?
       ) best JOIN chunks c ON c.rowid = best.number WHERE ${HAS_ID}
       ORDER BY best.score, best.number`,
    )
    .all(...list.parameters, search.limit)
    .map((row) => ({ chunk: toChunk(row), score: row.relevance, relevance: row.relevance }));
}

/** The relevance of those given chunks that match. All matches are scored first, which is 4 times faster than a query per chunk. */
export function scoreChunks(
  db: Database,
  expression: Expression,
  ids: readonly string[],
): ReadonlyMap<string, number> {
  const list = bestOf(db, expression, () => ({ sql: '', parameters: [] }));
  const rows = db
    .prepare<unknown[], { readonly id: string; readonly relevance: number }>(
      `WITH best AS MATERIALIZED (${list.sql})
       SELECT c.id, -best.score AS relevance FROM json_each(?) j
       JOIN chunks c ON c.id = j.value JOIN best ON best.number = c.rowid`,
    )
    .all(...list.parameters, JSON.stringify(ids));
  return new Map(rows.map(({ id, relevance }) => [id, relevance]));
}

interface Sql {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** A further condition on the rows of an index table. */
type Restriction = (table: string) => Sql;

/**
 * The rowids and FTS5 scores (negative, lower is better) of the chunks that match. A chunk that both
 * indexes find has the better of its two scores.
 */
function bestOf(db: Database, expression: Expression, restriction: Restriction): Sql {
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

/** Always applied to `store_cjk`, because no trigger removes rows of chunks that another program deleted. */
function filteredBy(filter: ChunkFilter): Restriction {
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
