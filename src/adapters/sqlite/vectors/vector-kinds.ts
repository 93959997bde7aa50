import type { Database } from 'better-sqlite3';
import type { Vector } from '../../../domain/ranking/vector.js';
import { HAS_QUESTIONS } from '../chunks/chunk-rows.js';
import { CONTENT_TEXTS, QUESTION_TEXTS, type TextKind } from '../chunks/embedded-texts.js';
import { prepared } from '../database/prepared.js';
import { areQuestionsOf, QUESTION_MODEL, setState } from '../database/store-state.js';
import { toBlob } from './encodings.js';

/** The parts of a query over vectors. The columns belong to the alias `e`; conditions may use the parameter `@model`. */
export interface VectorSource {
  readonly table: string;
  /** Column with the id of the chunk. */
  readonly id: string;
  /** Column with the vector. */
  readonly blob: string;
  /** Which rows count. */
  readonly condition: string;
  /** Whether a chunk `c` has a vector of another model. */
  readonly hasOther: string;
  /** Whether they are compared together with headers. */
  readonly isContent: boolean;
}

export interface NewVector {
  readonly id: string;
  readonly vector: Vector;
  readonly model: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Where the vectors of one kind are stored, and what they are vectors of. */
export interface VectorKind {
  readonly texts: TextKind;
  source(db: Database, model: string): VectorSource;
  save(db: Database, vector: NewVector): void;
}

/** The table `embeddings`: vectors of the contents of chunks. */
export const CONTENT_VECTORS: VectorKind = {
  texts: CONTENT_TEXTS,
  source: () => EMBEDDINGS,
  save(db, { id, vector, model, at }) {
    prepared(
      db,
      `INSERT INTO embeddings (chunk_id, embedding, model, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (chunk_id) DO UPDATE SET embedding = excluded.embedding,
         model = excluded.model, created_at = excluded.created_at`,
    ).run(id, toBlob(vector), model, at);
  },
};

/**
 * The column `chunks.hype_embeddings`: the average vectors of the questions in `hype_queries`. The column
 * has no model; once this service has stored one, all are of the model that it was stored for.
 */
export const QUESTION_VECTORS: VectorKind = {
  texts: QUESTION_TEXTS,
  source: (db, model) => (areQuestionsOf(db, model) ? QUESTIONS : QUESTIONS_OF_ANOTHER_MODEL),
  /** The first vector of another model takes away those of the last one. */
  save(db, { id, vector, model }) {
    if (!areQuestionsOf(db, model)) db.exec('UPDATE chunks SET hype_embeddings = NULL');
    prepared(db, 'UPDATE chunks SET hype_embeddings = ? WHERE id = ?').run(toBlob(vector), id);
    setState(db, QUESTION_MODEL, model);
  },
};

const EMBEDDINGS: VectorSource = {
  table: 'embeddings',
  id: 'e.chunk_id',
  blob: 'e.embedding',
  condition: 'e.model = @model',
  hasOther: 'EXISTS (SELECT 1 FROM embeddings o WHERE o.chunk_id = c.id AND o.model <> @model)',
  isContent: true,
};

const QUESTIONS: VectorSource = {
  table: 'chunks',
  id: 'e.id',
  blob: 'e.hype_embeddings',
  condition: 'e.hype_embeddings IS NOT NULL',
  hasOther: 'false',
  isContent: false,
};

const QUESTIONS_OF_ANOTHER_MODEL: VectorSource = {
  ...QUESTIONS,
  condition: 'false',
  hasOther: HAS_QUESTIONS,
};
