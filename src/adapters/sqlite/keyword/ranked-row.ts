import type { Database } from 'better-sqlite3';
import type { Expression } from '../../../domain/query/expression.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import { prepared } from '../database/prepared.js';
import type { Sql } from './match-list.js';

export interface KeywordSearch {
  readonly expression: Expression;
  readonly filter: ChunkFilter;
  readonly limit: number;
}

/** A row of an index, with its FTS5 score. */
export interface RankedRow {
  readonly number: number;
  /** Negative; lower is better. */
  readonly score: number;
}

/** The best rows of a list; those with equal scores by rowid. */
export function ranked(
  db: Database,
  { sql, parameters }: Sql,
  limit: number,
): readonly RankedRow[] {
  return rankedRows(db, `${sql} ORDER BY score, number LIMIT ?`, [...parameters, limit]);
}

/** The rows of a query for `number` and `score`. Every search runs some: better-sqlite3 returns lists sooner than objects. */
export function rankedRows(
  db: Database,
  sql: string,
  parameters: readonly unknown[],
): readonly RankedRow[] {
  return prepared<unknown[], readonly [number: number, score: number]>(db, sql)
    .raw()
    .all(...parameters)
    .map(([number, score]) => ({ number, score }));
}
