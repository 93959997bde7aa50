import type { Database } from 'better-sqlite3';
import type { Expression } from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import { HAS_ID, rowOf, toChunk, WHOLE_CHUNK_COLUMNS } from '../chunks/chunk-rows.js';
import { onSnapshot, prepared } from '../database/prepared.js';
import { bestRows } from './best-rows.js';
import { type KeywordSearch, matchesOf, oneOfRows, type RankedRow } from './match-list.js';

/**
 * The chunks that match, best first; equally relevant ones by importance, then by age. Ranked before the
 * join with `chunks`, which is 3 to 4 times faster, so importance is looked up only where it decides.
 */
export function findScoredChunks(db: Database, search: KeywordSearch): readonly ScoredChunk[] {
  return onSnapshot(db, () => chunksOf(db, bestRows(db, search)))
    .toSorted((a, b) => b.score - a.score || b.chunk.importance - a.chunk.importance)
    .slice(0, search.limit);
}

/**
 * The relevance of those given chunks that match. All matches are gone through once, which is faster
 * than a query per chunk, but `bm25()` is computed for the given chunks only.
 */
export function scoreChunks(
  db: Database,
  expression: Expression,
  ids: readonly string[],
): ReadonlyMap<string, number> {
  const list = matchesOf(db, expression, oneOfRows(rowidsOf(db, ids)));
  const rows = prepared<unknown[], { readonly id: string; readonly relevance: number }>(
    db,
    `SELECT c.id, -best.score AS relevance FROM (${list.sql}) best
     CROSS JOIN chunks c ON c.rowid = best.number`,
  ).all(...list.parameters);
  return new Map(rows.map(({ id, relevance }) => [id, relevance]));
}

function chunksOf(db: Database, rows: readonly RankedRow[]): readonly ScoredChunk[] {
  const found = prepared<[string], readonly unknown[]>(db, CHUNKS_OF_ROWS)
    .raw()
    .all(JSON.stringify(rows.map(({ number }) => number)));
  const chunks = new Map(found.map((values) => [values.at(-1), toChunk(rowOf(values))]));
  return rows.flatMap(({ number, score }) => {
    const chunk = chunks.get(number);
    return chunk === undefined ? [] : [{ chunk, score: -score, bm25: -score }];
  });
}

const CHUNKS_OF_ROWS = `SELECT ${WHOLE_CHUNK_COLUMNS}, c.rowid FROM json_each(?) j
  CROSS JOIN chunks c ON c.rowid = j.value WHERE ${HAS_ID}`;

function rowidsOf(db: Database, ids: readonly string[]): readonly number[] {
  return prepared<[string], number>(
    db,
    'SELECT c.rowid FROM json_each(?) j JOIN chunks c ON c.id = j.value',
  )
    .pluck()
    .all(JSON.stringify(ids));
}
