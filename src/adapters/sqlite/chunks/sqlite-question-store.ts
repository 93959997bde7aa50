import { embeddingText } from '../../../domain/chunks/chunk.js';
import type { ChunkWithoutQuestions, QuestionStore } from '../../../ports/driven/question-store.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { CHUNK_COLUMNS, type ChunkRow, HAS_ID, toChunk } from './chunk-rows.js';

/** Questions as a JSON array in the column `chunks.hype_queries`. */
export class SqliteQuestionStore implements QuestionStore {
  readonly #database: ProjectDatabase;
  readonly #model: string;

  /** @param model the embedding model; content vectors of other models are ignored */
  constructor(database: ProjectDatabase, model: string) {
    this.#database = database;
    this.#model = model;
  }

  pending(limit: number): Promise<readonly ChunkWithoutQuestions[]> {
    return this.#database.read((db) =>
      db
        .prepare<[string, number], ChunkRow>(
          `SELECT ${CHUNK_COLUMNS} FROM chunks c JOIN embeddings e ON e.chunk_id = c.id
           WHERE ${HAS_ID} AND c.hype_queries IS NULL AND c.hype_embeddings IS NULL
             AND e.model = ? AND is_vector(e.embedding)
           ORDER BY c.created_at DESC, c.rowid DESC LIMIT ?`,
        )
        .all(this.#model, limit)
        .map((row) => ({ id: row.id, text: embeddingText(toChunk(row)) })),
    );
  }

  async save(chunk: ChunkWithoutQuestions, questions: readonly string[]): Promise<void> {
    await this.#database.write((db) => {
      const row = db
        .prepare<[string], ChunkRow>(`SELECT ${CHUNK_COLUMNS} FROM chunks c WHERE c.id = ?`)
        .get(chunk.id);
      if (row === undefined || embeddingText(toChunk(row)) !== chunk.text) return;
      db.prepare('UPDATE chunks SET hype_queries = ? WHERE id = ?').run(
        JSON.stringify(questions),
        chunk.id,
      );
    });
  }
}
