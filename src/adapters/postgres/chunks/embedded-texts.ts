import { embeddingText } from '../../../domain/chunks/chunk.js';
import type { ChunkWithoutQuestions, QuestionStore } from '../../../ports/vector-index.js';
import type { ProjectContext } from '../database/project-context.js';
import type { Session } from '../database/session.js';
import { type TextRow, textOf } from './chunk-rows.js';

/** Which texts of a chunk are embedded, and where their vectors are. */
export interface TextKind {
  /** The table of the vectors. */
  readonly vectors: string;
  /** What is selected besides the chunk named `c`, and joined to it. */
  readonly column: string;
  readonly join: (schema: string) => string;
  readonly textsOf: (row: KindRow) => readonly string[];
}

interface KindRow extends TextRow {
  readonly no: number;
  readonly questions: readonly string[] | null;
  readonly also: string | null;
}

/** The content of a chunk with its heading. */
export const CONTENT_TEXTS: TextKind = {
  vectors: 'content_vectors',
  column: 'NULL AS questions',
  join: () => '',
  textsOf: (row) => [embeddingText(textOf(row))],
};

/** The questions of a chunk; only chunks that have questions. */
export const QUESTION_TEXTS: TextKind = {
  vectors: 'question_vectors',
  column: 'q.texts AS questions',
  join: (schema) => `JOIN ${schema}.questions q ON q.chunk_no = c.no AND q.texts <> '{}'`,
  textsOf: ({ questions }) => questions ?? [],
};

interface TextSelection {
  readonly kind: TextKind;
  /** Another column. */
  readonly also?: string;
  /** What follows the FROM clause, where the chunk is named `c`. */
  readonly rest: string;
  readonly values: readonly unknown[];
}

/** The texts of chunks with the numbers of these, which only this store knows. */
export async function selectTexts(
  session: Session,
  schema: string,
  { kind, also = 'NULL', rest, values }: TextSelection,
) {
  const rows = await session.query<KindRow>(
    `SELECT c.no, c.id, c.heading, c.content, ${kind.column}, ${also} AS also
     FROM ${schema}.chunks c ${kind.join(schema)} ${rest}`,
    values,
  );
  return rows.map((row) => ({
    no: row.no,
    chunkId: row.id,
    texts: kind.textsOf(row),
    also: row.also,
  }));
}

/** Questions in a table of their own, so that a chunk is not indexed again for them. */
export class PostgresQuestionStore implements QuestionStore {
  readonly #project: ProjectContext;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  async pending(limit: number): Promise<readonly ChunkWithoutQuestions[]> {
    const { database, schema } = this.#project;
    const rows = await database.rows<TextRow>(
      `SELECT c.id, c.heading, c.content FROM ${schema}.chunks c
       WHERE NOT EXISTS (SELECT 1 FROM ${schema}.questions q WHERE q.chunk_no = c.no)
       ORDER BY c.created_at DESC, c.no DESC LIMIT $1`,
      [limit],
    );
    return rows.map((row) => ({ id: row.id, text: embeddingText(textOf(row)) }));
  }

  async questionsOf(chunkId: string): Promise<readonly string[]> {
    const { database, schema } = this.#project;
    const [row] = await database.rows<{ readonly texts: readonly string[] }>(
      `SELECT q.texts FROM ${schema}.questions q JOIN ${schema}.chunks c ON c.no = q.chunk_no WHERE c.id = $1`,
      [chunkId],
    );
    return row?.texts ?? [];
  }

  save(chunk: ChunkWithoutQuestions, questions: readonly string[]): Promise<void> {
    const { database, schema } = this.#project;
    const rest = 'WHERE c.id = $1 FOR KEY SHARE OF c';
    return database.transaction(async (session) => {
      const selection = { kind: CONTENT_TEXTS, rest, values: [chunk.id] };
      const [found] = await selectTexts(session, schema, selection);
      if (found?.texts[0] !== chunk.text) return;
      await session.query(
        `INSERT INTO ${schema}.questions (chunk_no, texts) VALUES ($1, $2)
         ON CONFLICT (chunk_no) DO UPDATE SET texts = excluded.texts`,
        [found.no, questions],
      );
    });
  }
}
