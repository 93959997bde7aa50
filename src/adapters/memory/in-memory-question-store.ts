import { embeddingText } from '../../domain/chunks/chunk.js';
import type { ChunkWithoutQuestions, QuestionStore } from '../../ports/driven/question-store.js';
import type { VectorIndex } from '../../ports/driven/vector-index.js';
import type { ProjectTables } from './project-tables.js';

/** Questions, stored with the chunks. */
export class InMemoryQuestionStore implements QuestionStore {
  readonly #tables: ProjectTables;
  readonly #vectors: VectorIndex;

  /** @param vectors the vectors of the contents of chunks */
  constructor(tables: ProjectTables, vectors: VectorIndex) {
    this.#tables = tables;
    this.#vectors = vectors;
  }

  async pending(limit: number): Promise<readonly ChunkWithoutQuestions[]> {
    const withoutVector = await this.#vectors.pending(this.#tables.count());
    const waiting = new Set(withoutVector.map(({ chunkId }) => chunkId));
    return this.#tables
      .newestRows()
      .filter(({ chunk, questions }) => questions === undefined && !waiting.has(chunk.id))
      .slice(0, limit)
      .map(({ chunk }) => ({ id: chunk.id, text: embeddingText(chunk) }));
  }

  save({ id, text }: ChunkWithoutQuestions, questions: readonly string[]): Promise<void> {
    return this.#tables.write(() => {
      for (const row of this.#tables.rowsOf([id])) {
        if (embeddingText(row.chunk) === text) this.#tables.put({ ...row, questions });
      }
    });
  }
}
