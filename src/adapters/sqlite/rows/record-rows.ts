import { EMBEDDED_MAX_CHARACTERS } from '../../../domain/limits.js';
import type { ChunkRecord } from '../../../domain/transfer/records.js';
import {
  type ChunkRow,
  parseStrings,
  QUESTIONS,
  toChunk,
  toIsoDate,
  WHOLE_CHUNK_COLUMNS,
} from './chunk-rows.js';

/** A chunk with everything that belongs to it, and its place among all rows. */
export interface RecordRow extends ChunkRow {
  readonly place: number;
  readonly retrieval_count: number;
  readonly last_retrieved_at: string | null;
  readonly questions: string | null;
  readonly is_owned: number;
  readonly content_hash: string | null;
}

/** The columns of a {@link RecordRow}, of tables named `c`, `o` and `s`. */
export const RECORD_COLUMNS = `${WHOLE_CHUNK_COLUMNS}, ${QUESTIONS} AS questions,
  iif(typeof(c.retrieval_count) = 'integer' AND c.retrieval_count BETWEEN 0 AND 2147483647,
    c.retrieval_count, 0) AS retrieval_count,
  iif(octet_length(c.last_retrieved_at) <= ${EMBEDDED_MAX_CHARACTERS},
    CAST(c.last_retrieved_at AS TEXT), NULL) AS last_retrieved_at,
  o.chunk_id IS NOT NULL AS is_owned, s.content_hash AS content_hash`;

export function toRecord(row: RecordRow): ChunkRecord {
  const { projectPath: _, ...chunk } = toChunk(row);
  const questions = parseStrings(row.questions);
  return {
    chunk,
    ...(row.is_owned === 1 && { contentHash: row.content_hash ?? '' }),
    retrievalCount: row.retrieval_count,
    ...(row.last_retrieved_at !== null && { lastRetrievedAt: toIsoDate(row.last_retrieved_at) }),
    ...(questions.length > 0 && { questions }),
  };
}
