import type { Chunk, SourceType } from '../domain/chunks/chunk.js';
import type { Vector } from '../domain/ranking/vector.js';

/** A chunk of another database, with everything that belongs to it. */
export interface ImportedChunk {
  readonly chunk: Omit<Chunk, 'projectPath'>;
  readonly retrievalCount: number;
  /** ISO 8601; absent if it was never retrieved. */
  readonly lastRetrievedAt?: string;
  /** Absent as long as none were generated; else at least one. */
  readonly questions?: readonly string[];
  readonly vector?: ImportedVector;
  /** Only with questions. */
  readonly questionVector?: ImportedVector;
}

export interface ImportedVector {
  readonly values: Vector;
  /** Undefined where the database does not say it: then it counts as a vector of the model of the store. */
  readonly model: string | undefined;
}

/** A source as the other database had indexed it; only a database of this service knows any. */
export interface ImportedSource {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  /** Set only for documents without a file. Empty otherwise, which forces the next ingestion to compare every chunk. */
  readonly contentHash: string;
}

/** A part of another database. The sources come after all chunks. */
export interface ImportBatch {
  /**
   * A few hundred. A chunk that the store has, with the same heading and content, keeps its row,
   * gets the higher count and the later date of retrieval, and the questions and vectors that it
   * lacks. A chunk is skipped if its id has another text here, or if it is new and its source is
   * indexed here.
   */
  readonly chunks: readonly ImportedChunk[];
  /**
   * Remembered as indexed, except those that are indexed here: the next ingestion reads their files, keeps the chunks
   * whose text is the same, and removes those of files that are gone.
   */
  readonly sources: readonly ImportedSource[];
  /** Sentences about data that did not fit and was left out. */
  readonly leftOut: readonly string[];
}

/** Counts of imported chunks. */
export interface ImportCounts {
  /** Chunks that were new to the store, or that it had with the same text. */
  readonly chunks: number;
  readonly vectors: number;
  readonly questions: number;
  /** The store has another text under the same id, or has indexed their source itself. */
  readonly skipped: number;
}

/** The counts of two imports into one store. */
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
 * is opened for reading only, nothing that it defines (triggers, views, virtual tables, expressions) is ever run, and
 * the reading is bounded in rows, bytes and time, and happens outside of this process.
 */
export interface DatabaseReader {
  /**
   * @param path absolute path of the file, which the caller has allowed
   * @throws KnowledgeError `not_found`, `not_readable` if it is not a database, or takes too long to read
   */
  read(path: string): AsyncIterable<ImportBatch>;
}
