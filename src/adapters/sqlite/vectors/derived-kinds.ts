import type { Database } from 'better-sqlite3';
import { embeddingText } from '../../../domain/chunks/chunk.js';
import { weighedHeader } from '../../../domain/ranking/vector.js';
import type {
  Compared,
  ComparedKind,
  DerivedEntries,
  VectorModel,
} from '../../../ports/vector-index.js';
import { HAS_QUESTIONS, parseStrings } from '../chunks/chunk-rows.js';
import { isVector, toBlob } from '../database/encodings.js';
import { prepareOnce } from '../database/statements.js';
import { areQuestionsFrom, QUESTION_MODEL, setState } from '../database/store-state.js';

/**
 * The parts of a query over vectors. The columns belong to the alias `e`. Conditions may use the parameter `@model`.
 */
export interface VectorSource {
  readonly table: string;
  /** Column with the chunk's id. */
  readonly id: string;
  /** Column with the vector. */
  readonly blob: string;
  /** SQL for whether a chunk `c` has a vector of another model. */
  readonly condition: string;
  /** Whether a chunk `c` has a vector of another model. */
  readonly hasOther: string;
  /** Whether the vector of the source's header is added before comparing. */
  readonly isContent: boolean;
}

/**
 * Where vectors of a kind are stored. `chunks.hype_embeddings` holds the average vector of the questions in
 * `hype_queries`, and names no model. Once this service has stored such a vector, all of them are from its model.
 */
export function vectorSource(db: Database, kind: Compared, model: string): VectorSource {
  if (kind === 'content') return EMBEDDINGS;
  if (kind === 'stored') return { ...EMBEDDINGS, isContent: false };
  return areQuestionsFrom(db, model) ? QUESTIONS : QUESTIONS_OF_ANOTHER_MODEL;
}

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

/** The rows with a vector, as a FROM clause. */
export function rowsWithVector({ table, blob, condition }: VectorSource, dimensions: number) {
  return `${table} e WHERE ${condition} AND ${isVector(blob, dimensions)}`;
}

/**
 * SQL for whether the source of a chunk `c` has a header without a vector of `@model`, and is not in the list
 * `@others`.
 */
export const WAITS_FOR_HEADER = `EXISTS (SELECT 1 FROM store_names n
  WHERE n.source_file = c.source_file AND n.header <> '' AND n.model IS NOT @model
    AND n.source_file NOT IN (SELECT value FROM json_each(@others)))`;

/** A text that something is derived from. */
export interface TextRow {
  readonly id: string;
  readonly heading: string | null;
  readonly content: string;
  /** Questions as a JSON array. */
  readonly questions: string | null;
  readonly hasOther: 0 | 1;
}

/** How missing derived data is found and stored. */
interface DerivedKind<Entry> {
  /** The rest of a SELECT over a table `c`, ending in a condition that can be extended with AND. May use `@model`. */
  readonly pending: (db: Database, model: VectorModel) => string;
  /** Column with the id. */
  readonly id: string;
  readonly order: string;
  readonly textsOf: (row: TextRow) => readonly string[];
  readonly save: (db: Database, entry: Entry, context: SavingContext) => void;
}

interface SavingContext extends VectorModel {
  /** ISO 8601. */
  readonly now: string;
}

export const KINDS: { readonly [Kind in keyof DerivedEntries]: DerivedKind<DerivedEntries[Kind]> } =
  {
    content: {
      ...ofChunks('content'),
      textsOf: embeddedTexts,
      save(db, { id, vector }, { model, now }) {
        prepareOnce(
          db,
          `INSERT INTO embeddings (chunk_id, embedding, model, created_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (chunk_id) DO UPDATE SET embedding = excluded.embedding,
             model = excluded.model, created_at = excluded.created_at`,
        ).run(id, toBlob(vector), model, now);
      },
    },
    questions: {
      ...ofChunks('questions'),
      textsOf: ({ questions }) => parseStrings(questions),
      /** The first vector of a new model deletes the previous model's vectors. */
      save(db, { id, vector }, { model }) {
        if (!areQuestionsFrom(db, model)) db.exec('UPDATE chunks SET hype_embeddings = NULL');
        prepareOnce(db, 'UPDATE chunks SET hype_embeddings = ? WHERE id = ?').run(
          toBlob(vector),
          id,
        );
        setState(db, QUESTION_MODEL, model);
      },
    },
    questionTexts: {
      pending: () =>
        `c.id, c.heading, c.content, NULL AS questions, false AS hasOther FROM chunks c
         WHERE c.hype_queries IS NULL AND c.hype_embeddings IS NULL`,
      id: 'c.id',
      order: 'c.created_at DESC, c.rowid DESC',
      textsOf: embeddedTexts,
      save(db, { id, questions }) {
        const save = prepareOnce(db, 'UPDATE chunks SET hype_queries = ? WHERE id = ?');
        save.run(JSON.stringify(questions), id);
      },
    },
    headers: {
      pending: () =>
        `c.source_file AS id, c.header AS content, c.model IS NOT NULL AS hasOther FROM store_names c
         WHERE c.header <> '' AND c.model IS NOT @model`,
      id: 'c.source_file',
      order: 'c.source_file DESC',
      textsOf: ({ content }) => [content],
      save(db, { id, vector }, { model }) {
        prepareOnce(db, 'UPDATE store_names SET model = ?, vector = ? WHERE source_file = ?').run(
          model,
          toBlob(weighedHeader(vector)),
          id,
        );
      },
    },
  };

function ofChunks(kind: ComparedKind): Pick<DerivedKind<never>, 'pending' | 'id' | 'order'> {
  return {
    pending(db, { model, dimensions }) {
      const source = vectorSource(db, kind, model);
      return `c.id, c.heading, c.content, c.hype_queries AS questions, ${source.hasOther} AS hasOther
        FROM chunks c WHERE ${kind === 'content' ? 'true' : HAS_QUESTIONS}
        AND NOT EXISTS (SELECT 1 FROM ${rowsWithVector(source, dimensions)} AND ${source.id} = c.id)`;
    },
    id: 'c.id',
    order: 'c.last_retrieved_at DESC, c.created_at DESC, c.rowid DESC',
  };
}

function embeddedTexts(row: TextRow): readonly string[] {
  return [embeddingText(row)];
}
