import type { Database } from 'better-sqlite3';
import type { Expression } from '../../domain/query.js';
import type { ChunkFilter, KeywordHit } from '../../ports/chunk-repository.js';
import { chunkCondition } from './chunk-condition.js';
import { toFtsMatch } from './fts-match.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from './rows.js';

export interface KeywordSearch {
  readonly expression: Expression;
  readonly filter: ChunkFilter;
  readonly limit: number;
}

/** The chunks that match, best first; ranked before they are joined, which is 3 to 4 times faster. */
export function findKeywordHits(db: Database, search: KeywordSearch): readonly KeywordHit[] {
  const condition = chunkCondition(search.filter);
  const filter =
    condition === undefined
      ? ''
      : `AND EXISTS (SELECT 1 FROM chunks c WHERE c.rowid = chunks_fts.rowid AND ${condition.sql})`;
  return db
    .prepare<unknown[], ChunkRow & { readonly score: number }>(
      `SELECT ${CHUNK_COLUMNS}, best.score FROM (
         SELECT rowid AS number, bm25(chunks_fts) AS score FROM chunks_fts
         WHERE chunks_fts MATCH ? ${filter} ORDER BY score, rowid LIMIT ?
       ) best JOIN chunks c ON c.rowid = best.number ORDER BY best.score, best.number`,
    )
    .all(toFtsMatch(search.expression), ...(condition?.parameters ?? []), search.limit)
    .map((row) => ({ chunk: toChunk(row), score: row.score }));
}

/** The scores of those of some chunks that match. */
export function scoreChunks(
  db: Database,
  expression: Expression,
  ids: readonly string[],
): ReadonlyMap<string, number> {
  const rows = db
    .prepare<[string, string], { readonly id: string; readonly score: number }>(
      `SELECT c.id, bm25(chunks_fts) AS score FROM chunks_fts JOIN chunks c ON c.rowid = chunks_fts.rowid
       WHERE chunks_fts MATCH ? AND chunks_fts.rowid IN (
         SELECT some.rowid FROM json_each(?) j JOIN chunks some ON some.id = j.value)`,
    )
    .all(toFtsMatch(expression), JSON.stringify(ids));
  return new Map(rows.map(({ id, score }) => [id, score]));
}
