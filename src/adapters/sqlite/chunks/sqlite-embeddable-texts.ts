import type { Database } from 'better-sqlite3';
import { embeddingText } from '../../../domain/chunks/chunk.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { EmbeddableText, EmbeddableTexts } from '../../../ports/driven/embeddable-texts.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { chunkCondition } from './chunk-condition.js';
import {
  CHUNK_COLUMNS,
  type ChunkRow,
  HAS_ID,
  HAS_QUESTIONS,
  parseStrings,
  QUESTIONS,
  toChunk,
} from './chunk-rows.js';

/** Which texts of a chunk are embedded, and which chunks have such texts. */
interface TextKind {
  /** A condition on a table of chunks named `c`. */
  readonly condition: string;
  readonly textsOf: (row: TextRow) => readonly string[];
}

interface TextRow extends ChunkRow {
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

/** The texts of one kind, read from `chunks`. */
export class SqliteEmbeddableTexts implements EmbeddableTexts {
  readonly #database: ProjectDatabase;
  readonly #kind: TextKind;

  constructor(database: ProjectDatabase, kind: TextKind) {
    this.#database = database;
    this.#kind = kind;
  }

  of(chunkIds: readonly string[]): Promise<readonly EmbeddableText[]> {
    const ids = JSON.stringify(chunkIds);
    return this.#database.read((db) =>
      this.#select(db, 'AND c.id IN (SELECT value FROM json_each(?))', [ids]),
    );
  }

  newest(limit: number, offset: number): Promise<readonly EmbeddableText[]> {
    const page = 'ORDER BY c.created_at DESC, c.rowid DESC LIMIT ? OFFSET ?';
    return this.#database.read((db) => this.#select(db, page, [limit, offset]));
  }

  matching(chunkIds: readonly string[], filter: ChunkFilter): Promise<ReadonlySet<string>> {
    const { sql, parameters } = chunkCondition(filter) ?? { sql: 'true', parameters: [] };
    return this.#database.read((db) => {
      const ids = db
        .prepare<unknown[], string>(
          `SELECT c.id FROM json_each(?) j JOIN chunks c ON c.id = j.value WHERE ${sql}`,
        )
        .pluck()
        .all(JSON.stringify(chunkIds), ...parameters);
      return new Set(ids);
    });
  }

  countChunks(): Promise<number> {
    return this.#database.read(
      (db) => db.prepare<[], number>('SELECT count(*) FROM chunks').pluck().get() ?? 0,
    );
  }

  #select(db: Database, rest: string, values: readonly unknown[]): readonly EmbeddableText[] {
    const { condition, textsOf } = this.#kind;
    return db
      .prepare<unknown[], TextRow>(
        `SELECT ${CHUNK_COLUMNS}, ${QUESTIONS} AS hype_queries FROM chunks c
         WHERE ${HAS_ID} AND ${condition} ${rest}`,
      )
      .all(...values)
      .map((row) => ({ chunkId: row.id, texts: textsOf(row) }));
  }
}
