import type { Database } from 'better-sqlite3';
import { embeddingText } from '../../../domain/chunks/chunk.js';
import type {
  ChunkWithoutQuestions,
  EmbeddableText,
  QuestionStore,
} from '../../../ports/vector-index.js';
import { prepared } from '../database/prepared.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import {
  CHUNK_COLUMNS,
  type ChunkRow,
  HAS_QUESTIONS,
  parseStrings,
  toChunk,
} from './chunk-rows.js';

/** Which texts of a chunk are embedded, and which chunks have such texts. */
export interface TextKind {
  /** A condition on a table of chunks named `c`. */
  readonly condition: string;
  readonly textsOf: (row: TextRow) => readonly string[];
}

export interface TextRow extends ChunkRow {
  readonly hype_queries: string | null;
}

/** The content of a chunk with its heading. */
export const CONTENT_TEXTS: TextKind = {
  condition: 'true',
  textsOf: (row) => [embeddingText(toChunk(row))],
};

/** The questions of a chunk; only chunks that have questions. */
export const QUESTION_TEXTS: TextKind = {
  condition: HAS_QUESTIONS,
  textsOf: (row) => parseStrings(row.hype_queries),
};

type Values = Readonly<Record<string, string | number | Buffer>>;

/** The chunks `c` that have texts of a kind, with further columns; `rest` continues the WHERE clause. */
export function textRows<Further>(
  db: Database,
  { condition }: TextKind,
  select: { readonly columns?: string; readonly rest: string; readonly values: Values },
): readonly (TextRow & Further)[] {
  const columns = [CHUNK_COLUMNS, 'c.hype_queries', select.columns ?? []].flat();
  return prepared<unknown[], TextRow & Further>(
    db,
    `SELECT ${columns.join(', ')} FROM chunks c WHERE ${condition} ${select.rest}`,
  ).all(select.values);
}

export function textsOf({ textsOf: texts }: TextKind, row: TextRow): EmbeddableText {
  return { chunkId: row.id, texts: texts(row) };
}

/** Questions as a JSON array in the column `chunks.hype_queries`. */
export class SqliteQuestionStore implements QuestionStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  pending(limit: number): Promise<readonly ChunkWithoutQuestions[]> {
    return this.#database.read((db) =>
      db
        .prepare<[number], ChunkRow>(
          `SELECT ${CHUNK_COLUMNS} FROM chunks c
           WHERE c.hype_queries IS NULL AND c.hype_embeddings IS NULL
           ORDER BY c.created_at DESC, c.rowid DESC LIMIT ?`,
        )
        .all(limit)
        .map((row) => ({ id: row.id, text: embeddingText(toChunk(row)) })),
    );
  }

  questionsOf(chunkId: string): Promise<readonly string[]> {
    return this.#database.read((db) => {
      const row = db
        .prepare<[string], string | null>('SELECT hype_queries FROM chunks WHERE id = ?')
        .pluck()
        .get(chunkId);
      return parseStrings(row ?? null);
    });
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
