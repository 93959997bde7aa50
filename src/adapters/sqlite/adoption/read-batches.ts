import type { ImportBatch, ImportedChunk, ImportedSource } from '../../../ports/chunk-import.js';
import { CHUNK_COLUMNS, type ChunkRow, parseStrings, toChunk } from '../chunks/chunk-rows.js';
import { openFile } from '../database/connection.js';
import type { Database } from '../database/driver.js';
import { toVector } from '../database/encodings.js';
import { QUESTION_MODEL, readState } from '../database/store-state.js';

/** Reads a converted database in batches: first its chunks, then its sources. */
export function* readBatches(path: string, dimensions: number): Generator<ImportBatch> {
  const db = openFile(path);
  try {
    const questionModel = readState(db, QUESTION_MODEL);
    const find = db.prepare<[number], Row>(PART);
    for (let rows = find.all(0); rows.length > 0; rows = find.all(rows.at(-1)?.number ?? 0)) {
      const chunks = rows.map((row) => importedChunk(row, { dimensions, questionModel }));
      yield { chunks, sources: [], leftOut: [] };
    }
    yield { chunks: [], sources: readSources(db), leftOut: [] };
  } finally {
    db.close();
  }
}

interface Row extends ChunkRow {
  readonly number: number;
  readonly retrieval_count: number;
  readonly last_retrieved_at: string | null;
  readonly hype_queries: string | null;
  readonly hype_embeddings: unknown;
  readonly embedding: unknown;
  readonly model: string | null;
}

const PART = `SELECT c.rowid AS number, ${CHUNK_COLUMNS}, c.retrieval_count, c.last_retrieved_at,
    c.hype_queries, c.hype_embeddings, e.embedding, e.model
  FROM chunks c LEFT JOIN embeddings e ON e.chunk_id = c.id
  WHERE c.rowid > ? ORDER BY c.rowid LIMIT 250`;

interface VectorContext {
  readonly dimensions: number;
  readonly questionModel: string | undefined;
}

function importedChunk(row: Row, { dimensions, questionModel }: VectorContext): ImportedChunk {
  const { projectPath: _, ...chunk } = toChunk(row);
  const questions = parseStrings(row.hype_queries);
  const vector = toVector(row.embedding, dimensions);
  const questionVector = toVector(row.hype_embeddings, dimensions);
  return {
    chunk,
    retrievalCount: row.retrieval_count,
    ...(row.last_retrieved_at !== null && { lastRetrievedAt: row.last_retrieved_at }),
    ...(questions.length > 0 && { questions }),
    ...(vector && row.model !== null && { vector: { values: vector, model: row.model } }),
    ...(questionVector && { questionVector: { values: questionVector, model: questionModel } }),
  };
}

function readSources(db: Database): readonly ImportedSource[] {
  return db
    .prepare<[], ImportedSource>(
      `SELECT source_file AS sourceFile, source_type AS sourceType, content_hash AS contentHash
       FROM store_sources`,
    )
    .all();
}
