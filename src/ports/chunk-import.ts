import type { Chunk, SourceType } from '../domain/chunks/chunk.js';
import type { Vector } from '../domain/ranking/vector.js';

/** A chunk of another database, with all its data. */
export interface ImportedChunk {
  readonly chunk: Omit<Chunk, 'projectPath'>;
  readonly retrievalCount: number;
  /** ISO 8601 time; absent if the chunk was never retrieved. */
  readonly lastRetrievedAt?: string;
  /** At least one; absent if none were generated. */
  readonly questions?: readonly string[];
  readonly vector?: ImportedVector;
  /** Vector of the questions; absent if there are none. */
  readonly questionVector?: ImportedVector;
}

export interface ImportedVector {
  readonly values: Vector;
  /** Undefined if the database does not say; the vector then counts as one of the store's model. */
  readonly model: string | undefined;
}

/** A source as the other database indexed it. Only databases of this service record sources. */
export interface ImportedSource {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  /** Set only for documents without a file. Otherwise empty, so that the next ingestion compares every chunk. */
  readonly contentHash: string;
}

/** A part of another database. The sources come after all chunks. */
export interface ImportBatch {
  /**
   * A few hundred chunks. If the store has a chunk with the same id, heading and content, its row stays and gets the
   * higher retrieval count, the later retrieval date, and any missing questions and vectors. A chunk is skipped if its
   * id has another text in the store, or if it is new but the store has indexed its source itself.
   */
  readonly chunks: readonly ImportedChunk[];
  /**
   * Recorded as indexed, unless the store has indexed them itself. The next ingestion reads their files, keeps chunks
   * with the same text, and removes chunks whose files are gone.
   */
  readonly sources: readonly ImportedSource[];
  /** Sentences about data that was left out because it did not fit. */
  readonly leftOut: readonly string[];
}

/** Counts of imported data. */
export interface ImportCounts {
  /** Chunks that were new to the store, or already there with the same text. */
  readonly chunks: number;
  readonly vectors: number;
  readonly questions: number;
  /** Chunks whose id has another text in the store, or whose source the store has indexed itself. */
  readonly skipped: number;
}

/** Adds the counts of two imports into one store. */
export function addCounts(a: ImportCounts, b: ImportCounts): ImportCounts {
  return {
    chunks: a.chunks + b.chunks,
    vectors: a.vectors + b.vectors,
    questions: a.questions + b.questions,
    skipped: a.skipped + b.skipped,
  };
}

/**
 * Reads databases of any program with the specification's tables `chunks` and `embeddings`. The file is untrusted: it
 * is opened read-only, in another process, with limits on rows, bytes and time. Nothing that it defines (triggers,
 * views, virtual tables, expressions) is ever run.
 */
export interface DatabaseReader {
  /**
   * Reads a database in batches.
   * @param path absolute path of the file, already checked by the caller
   * @throws KnowledgeError `not_found`, `not_readable` if it is not a database or takes too long to read
   */
  read(path: string): AsyncIterable<ImportBatch>;
}
