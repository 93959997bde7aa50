/** A chunk without questions. */
export interface ChunkWithoutQuestions {
  readonly id: string;
  /** The text to generate questions from: `embeddingText` of the chunk. */
  readonly text: string;
}

/**
 * The questions that each chunk of one project answers (docs/specification.md, "HyPE").
 *
 * Every method may throw KnowledgeError `store_unavailable`; `save` may also throw `storage_full`.
 */
export interface QuestionStore {
  /** Chunks that have no questions yet, newest first, at most `limit`. */
  pending(limit: number): Promise<readonly ChunkWithoutQuestions[]>;
  /** The questions of a chunk; empty for one that has none, or does not exist. */
  questionsOf(chunkId: string): Promise<readonly string[]>;
  /** Stores the questions of a chunk; does nothing if the chunk was deleted or its text is no longer `chunk.text`. */
  save(chunk: ChunkWithoutQuestions, questions: readonly string[]): Promise<void>;
}
