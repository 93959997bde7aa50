import type { Database } from 'better-sqlite3';
import { COUNTED_CHUNKS_MAX } from '../../../domain/limits.js';
import { containsUnspaced } from '../../../domain/query/bigrams.js';
import { asBigrams, type Expression } from '../../../domain/query/expression.js';
import { toFtsMatch } from '../../../domain/query/fts-match.js';
import type { ChunkCounts } from '../../../ports/keyword-index.js';
import { prepared } from '../database/statements.js';

/** Words of scripts without spaces are counted where they are indexed as bigrams. */
export function countChunks(db: Database, words: readonly string[]): ChunkCounts {
  const count = (sql: string, ...parameters: readonly string[]) =>
    prepared<unknown[], number>(db, sql)
      .pluck()
      .get(...parameters) ?? 0;
  return {
    chunks: count('SELECT count(*) FROM chunks'),
    holding: words.map((text) => {
      const expression: Expression = { kind: 'terms', terms: [{ text, prefix: false }] };
      return containsUnspaced(text)
        ? count(HOLDING('side_words'), toFtsMatch(asBigrams(expression)))
        : count(HOLDING('chunks_fts'), toFtsMatch(expression));
    }),
  };
}

const HOLDING = (table: string) =>
  `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ${COUNTED_CHUNKS_MAX})`;
