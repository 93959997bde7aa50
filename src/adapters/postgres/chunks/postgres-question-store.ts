import { embeddingText } from '../../../domain/chunks/chunk.js';
import type { ChunkWithoutQuestions, QuestionStore } from '../../../ports/driven/question-store.js';
import type { ProjectContext } from '../database/project-database.js';
import { type TextRow, textOf } from './chunk-rows.js';
import { NEWEST_FIRST } from './postgres-embeddable-texts.js';

/** Questions in a table of their own, so that a chunk is not indexed again for them. */
export class PostgresQuestionStore implements QuestionStore {
  readonly #project: ProjectContext;
  readonly #model: string;

  /** @param model the embedding model; content vectors of other models are ignored */
  constructor(project: ProjectContext, model: string) {
    this.#project = project;
    this.#model = model;
  }

  async pending(limit: number): Promise<readonly ChunkWithoutQuestions[]> {
    const { database, schema } = this.#project;
    const rows = await database.rows<TextRow>(
      `SELECT c.id, c.heading, c.content FROM ${schema}.chunks c
       JOIN ${schema}.content_vectors v ON v.chunk_no = c.no AND v.model = $1
       WHERE NOT EXISTS (SELECT 1 FROM ${schema}.questions q WHERE q.chunk_no = c.no)
       ${NEWEST_FIRST} LIMIT $2`,
      [this.#model, limit],
    );
    return rows.map((row) => ({ id: row.id, text: embeddingText(textOf(row)) }));
  }

  save(chunk: ChunkWithoutQuestions, questions: readonly string[]): Promise<void> {
    const { database, schema } = this.#project;
    return database.transaction(async (session) => {
      const [row] = await session.query<TextRow & { readonly no: number }>(
        `SELECT no, id, heading, content FROM ${schema}.chunks WHERE id = $1 FOR KEY SHARE`,
        [chunk.id],
      );
      if (row === undefined || embeddingText(textOf(row)) !== chunk.text) return;
      await session.query(
        `INSERT INTO ${schema}.questions (chunk_no, texts) VALUES ($1, $2)
         ON CONFLICT (chunk_no) DO UPDATE SET texts = excluded.texts`,
        [row.no, questions],
      );
    });
  }
}
