import type { Database } from 'better-sqlite3';
import { type Expression, termsOf } from '../../domain/query.js';
import type { ChunkFilter, KeywordHit } from '../../ports/chunk-repository.js';
import { chunkCondition } from './chunk-condition.js';
import { hasCjkIndex } from './cjk-index.js';
import { bigramsIn, toFtsMatch, tokensIn } from './fts-match.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from './rows.js';

export interface KeywordSearch {
  readonly expression: Expression;
  readonly filter: ChunkFilter;
  readonly limit: number;
}

/** The chunks that match, best first; ranked before they are joined, which is 3 to 4 times faster. */
export function findKeywordHits(db: Database, search: KeywordSearch): readonly KeywordHit[] {
  const lists = listsOf(db, search);
  return db
    .prepare<unknown[], ChunkRow & { readonly score: number }>(
      `SELECT ${CHUNK_COLUMNS}, best.score FROM (
         ${best(lists.map(({ sql }) => sql))} ORDER BY score, number LIMIT ?
       ) best JOIN chunks c ON c.rowid = best.number ORDER BY best.score, best.number`,
    )
    .all(...lists.flatMap(({ parameters }) => parameters), search.limit)
    .map((row) => ({ chunk: toChunk(row), score: row.score }));
}

/** Whether an expression holds words that may stand inside runs of letters. */
export function looksInRuns(expression: Expression): boolean {
  return termsOf(expression).some(({ inRun }) => inRun !== undefined);
}

/** The numbers and scores of the chunks that one index finds. */
interface List {
  readonly sql: string;
  readonly parameters: readonly string[];
}

function listsOf(db: Database, { expression, filter }: KeywordSearch): readonly List[] {
  const condition = chunkCondition(filter);
  const words = listOf('chunks_fts', toFtsMatch(tokensIn(expression)), condition);
  if (!looksInRuns(expression) || !hasCjkIndex(db)) return [words];
  const bigrams = toFtsMatch(bigramsIn(expression));
  return [words, listOf('store_cjk', bigrams, condition ?? { sql: 'true', parameters: [] })];
}

/** With a condition, only chunks that are still there. */
function listOf(table: string, match: string, condition: List | undefined): List {
  const filter =
    condition === undefined
      ? ''
      : `AND EXISTS (SELECT 1 FROM chunks c WHERE c.rowid = ${table}.rowid AND ${condition.sql})`;
  return {
    sql: `SELECT rowid AS number, bm25(${table}) AS score FROM ${table}
          WHERE ${table} MATCH ? ${filter}`,
    parameters: [match, ...(condition?.parameters ?? [])],
  };
}

/** A chunk that several lists hold has the better of its scores. */
function best(lists: readonly string[]): string {
  if (lists.length === 1) return lists.join();
  return `SELECT number, min(score) AS score FROM (${lists.join(' UNION ALL ')}) GROUP BY number`;
}
