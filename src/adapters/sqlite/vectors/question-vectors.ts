import type { Database } from 'better-sqlite3';
import type { PendingVector } from '../../../ports/driven/vector-index.js';
import { HAS_ID, HAS_QUESTIONS, parseStrings, QUESTIONS } from '../chunks/chunk-rows.js';
import { setState, stateOf } from '../database/store-state.js';
import type { VectorRow, VectorSource, VectorTable } from './vector-tables.js';

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
