import type { Database } from 'better-sqlite3';
import { embeddingText } from '../../../domain/chunks/chunk.js';
import type { PendingVector } from '../../../ports/driven/vector-index.js';
import {
  CHUNK_COLUMNS,
  type ChunkRow,
  HAS_ID,
  HAS_QUESTIONS,
  parseStrings,
  QUESTIONS,
  toChunk,
} from '../chunks/chunk-rows.js';
import { setState, stateOf } from '../database/store-state.js';

/** Which vectors count: those of one model, which all have its number of dimensions. */
export interface VectorModel {
  readonly model: string;
  readonly dimensions: number;
}

/** A vector with the chunk that it belongs to. */
export interface VectorRow {
  readonly id: string;
  readonly blob: Uint8Array;
}

/** Where the vectors of one kind are stored, and what they are vectors of. */
export interface VectorTable {
  /** Where to read vectors in SQL; undefined while those stored are of another model. */
  source(db: Database): VectorSource | undefined;
  /** Those that are valid. */
  countVectors(db: Database): number;
  pending(db: Database, limit: number): readonly PendingVector[];
  /** The texts that are embedded for a chunk; undefined where there is no such chunk. */
  textsOf(db: Database, id: string): readonly string[] | undefined;
  /** Whether a chunk has a valid vector. */
  has(db: Database, id: string): boolean;
  save(db: Database, row: VectorRow, at: Date): void;
}

/** The parts of a query over vectors. The columns belong to the alias `e`. */
export interface VectorSource {
  readonly table: string;
  /** Column with the id of the chunk. */
  readonly id: string;
  /** Column with the vector. */
  readonly blob: string;
  /** Which rows count; may use the parameter `@model`. */
  readonly condition: string;
  readonly model: string;
}

/** The table `embeddings`, as far as its vectors are of one model. */
export class ContentVectors implements VectorTable {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  source(): VectorSource {
    return {
      table: 'embeddings',
      id: 'e.chunk_id',
      blob: 'e.embedding',
      condition: 'e.model = @model',
      model: this.#model,
    };
  }

  countVectors(db: Database): number {
    return db
      .prepare<[string], number>(
        `SELECT count(*) FROM embeddings e JOIN chunks c ON c.id = e.chunk_id
         WHERE e.model = ? AND is_vector(e.embedding)`,
      )
      .pluck()
      .get(this.#model) as number;
  }

  pending(db: Database, limit: number): readonly PendingVector[] {
    return db
      .prepare<[string, string, number], ChunkRow & { readonly other: 0 | 1 }>(
        `SELECT ${CHUNK_COLUMNS},
           EXISTS (SELECT 1 FROM embeddings o WHERE o.chunk_id = c.id AND o.model <> ?) AS other
         FROM chunks c
         LEFT JOIN embeddings e ON e.chunk_id = c.id AND e.model = ? AND is_vector(e.embedding)
         WHERE ${HAS_ID} AND e.chunk_id IS NULL ORDER BY c.created_at DESC, c.rowid DESC LIMIT ?`,
      )
      .all(this.#model, this.#model, limit)
      .map((row) => ({
        chunkId: row.id,
        texts: [embeddingText(toChunk(row))],
        ...(row.other === 1 && { hasOtherModel: true }),
      }));
  }

  textsOf(db: Database, id: string): readonly string[] | undefined {
    const row = db
      .prepare<[string], ChunkRow>(`SELECT ${CHUNK_COLUMNS} FROM chunks c WHERE c.id = ?`)
      .get(id);
    return row && [embeddingText(toChunk(row))];
  }

  has(db: Database, id: string): boolean {
    const found = db
      .prepare(
        'SELECT 1 FROM embeddings WHERE chunk_id = ? AND model = ? AND is_vector(embedding) LIMIT 1',
      )
      .get(id, this.#model);
    return found !== undefined;
  }

  save(db: Database, { id, blob }: VectorRow, at: Date): void {
    db.prepare(
      `INSERT INTO embeddings (chunk_id, embedding, model, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (chunk_id) DO UPDATE SET embedding = excluded.embedding,
         model = excluded.model, created_at = excluded.created_at`,
    ).run(id, blob, this.#model, at.toISOString());
  }
}

/**
 * The column `chunks.hype_embeddings`: the average vectors of the questions in `hype_queries`. It has no
 * model of its own; once this service has stored one, all are of the model that it was stored for.
 */
export class QuestionVectors implements VectorTable {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  source(db: Database): VectorSource | undefined {
    if (!this.#areOfModel(db)) return undefined;
    return {
      table: 'chunks',
      id: 'e.id',
      blob: 'e.hype_embeddings',
      condition: 'e.hype_embeddings IS NOT NULL',
      model: this.#model,
    };
  }

  countVectors(db: Database): number {
    if (!this.#areOfModel(db)) return 0;
    return db
      .prepare<[], number>('SELECT count(*) FROM chunks WHERE is_vector(hype_embeddings)')
      .pluck()
      .get() as number;
  }

  pending(db: Database, limit: number): readonly PendingVector[] {
    const areOurs = this.#areOfModel(db);
    return db
      .prepare<[number, number], { readonly id: string; readonly hype_queries: string }>(
        `SELECT c.id, ${QUESTIONS} AS hype_queries FROM chunks c
         WHERE ${HAS_ID} AND ${HAS_QUESTIONS}
           AND NOT (? AND is_vector(hype_embeddings))
         ORDER BY created_at DESC, rowid DESC LIMIT ?`,
      )
      .all(Number(areOurs), limit)
      .map((row) => ({
        chunkId: row.id,
        texts: parseStrings(row.hype_queries),
        ...(!areOurs && { hasOtherModel: true }),
      }));
  }

  textsOf(db: Database, id: string): readonly string[] | undefined {
    const questions = db
      .prepare<[string], string | null>(`SELECT ${QUESTIONS} FROM chunks c WHERE c.id = ?`)
      .pluck()
      .get(id);
    return questions === undefined ? undefined : parseStrings(questions);
  }

  has(db: Database, id: string): boolean {
    if (!this.#areOfModel(db)) return false;
    const found = db
      .prepare('SELECT 1 FROM chunks WHERE id = ? AND is_vector(hype_embeddings) LIMIT 1')
      .get(id);
    return found !== undefined;
  }

  /** The first vector of another model takes away those of the last one. */
  save(db: Database, { id, blob }: VectorRow): void {
    if (!this.#areOfModel(db)) db.exec('UPDATE chunks SET hype_embeddings = NULL');
    db.prepare('UPDATE chunks SET hype_embeddings = ? WHERE id = ?').run(blob, id);
    setState(db, HYPE_MODEL, this.#model);
  }

  #areOfModel(db: Database): boolean {
    const model = stateOf(db, HYPE_MODEL);
    return model === undefined || model === this.#model;
  }
}

/** The model of the question vectors, once this service has stored one. */
const HYPE_MODEL = 'hype_model';
