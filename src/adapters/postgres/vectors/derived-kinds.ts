import { embeddingText } from '../../../domain/chunks/chunk.js';
import type { DerivedEntries, DerivedFrom } from '../../../ports/vector-index.js';
import type { TextRow } from '../chunks/chunk-rows.js';
import type { Session } from '../database/session.js';
import {
  type DerivedPlace,
  type Numbered,
  saveHeaders,
  saveQuestions,
  saveVectors,
} from './save-derived.js';
import { literal, ofModel } from './vector-search.js';

/** The table in which vectors of each kind are stored. */
export const VECTOR_TABLES = { content: 'content_vectors', questions: 'question_vectors' } as const;

/** A text that something is derived from. */
export interface DerivedRow extends TextRow {
  /** The number of the chunk. */
  readonly no: number;
  readonly questions: readonly string[] | null;
  /** Model of the current vector; null if there is none. */
  readonly model: string | null;
}

/** How missing derived data is found and stored. */
interface DerivedKind<Entry> {
  /** A SELECT from a table named `c`, ending in a condition that can be extended with AND. */
  readonly pending: (place: DerivedPlace) => string;
  /** A SELECT of the first `$1` of them, in order. Default: `pending` with an order and a limit. */
  readonly first?: (place: DerivedPlace) => string;
  /** Column with the id. */
  readonly id: string;
  readonly order: string;
  /** Locking clause that keeps the texts unchanged until the commit. */
  readonly lock: string;
  readonly textsOf: (row: DerivedRow) => readonly string[];
  /** Returns the number of stored entries. */
  readonly save: (
    session: Session,
    place: DerivedPlace,
    entries: readonly Numbered<Entry>[],
  ) => Promise<number>;
}

export const KINDS: { readonly [Kind in keyof DerivedEntries]: DerivedKind<DerivedEntries[Kind]> } =
  {
    content: {
      ...ofChunks('content'),
      textsOf: embeddedTexts,
      save: (session, place, entries) =>
        saveVectors(session, place, {
          entries,
          table: VECTOR_TABLES.content,
          compared: `(SELECT n.vector::vector + h.vector FROM ${place.schema}.chunks c
            JOIN ${place.schema}.names h ON h.source_file = c.source_file AND h.model = $3 WHERE c.no = n.no)`,
        }),
    },
    questions: {
      ...ofChunks('questions'),
      textsOf: ({ questions }) => questions ?? [],
      save: (session, place, entries) =>
        saveVectors(session, place, { entries, table: VECTOR_TABLES.questions, compared: 'NULL' }),
    },
    questionTexts: {
      pending: ({ schema }) =>
        `SELECT c.no, c.id, c.heading, c.content FROM ${schema}.chunks c
         WHERE NOT EXISTS (SELECT 1 FROM ${schema}.questions q WHERE q.chunk_no = c.no)`,
      id: 'c.id',
      order: 'c.created_at DESC, c.no DESC',
      lock: 'FOR KEY SHARE OF c',
      textsOf: embeddedTexts,
      save: saveQuestions,
    },
    headers: {
      pending: ({ schema, model }) =>
        `SELECT c.source_file AS id, c.header AS content, c.model FROM ${schema}.names c
         WHERE c.header <> '' AND c.model IS DISTINCT FROM ${literal(model)}`,
      id: 'c.source_file',
      order: 'c.source_file',
      lock: 'FOR NO KEY UPDATE OF c',
      textsOf: ({ content }) => [content],
      save: saveHeaders,
    },
  };

/** A SELECT of the chunks whose source has a header without a vector, and is not in the list `$1`. */
export function waitingForHeader({ schema, model }: DerivedPlace): string {
  return `SELECT c.no FROM ${schema}.chunks c JOIN ${schema}.names n USING (source_file)
    WHERE n.header <> '' AND n.model IS DISTINCT FROM ${literal(model)}
      AND NOT source_file = ANY($1::text[])`;
}

function ofChunks(
  kind: keyof typeof VECTOR_TABLES,
): Pick<DerivedKind<never>, 'pending' | 'first' | 'id' | 'order' | 'lock'> {
  const texts = kind === 'content' ? 'NULL' : 'q.texts';
  const join = ({ schema }: DerivedPlace) =>
    kind === 'content' ? '' : `JOIN ${schema}.questions q ON q.chunk_no = c.no AND q.texts <> '{}'`;
  const rows = (place: DerivedPlace) =>
    `SELECT c.no, c.id, c.heading, c.content, v.model, ${texts} AS questions
     FROM ${place.schema}.chunks c LEFT JOIN ${place.schema}.${VECTOR_TABLES[kind]} v ON v.chunk_no = c.no
     LEFT JOIN ${place.schema}.retrievals r ON r.chunk_no = c.no ${join(place)}`;
  const isMissing = ({ schema, ...model }: DerivedPlace) =>
    `NOT EXISTS (SELECT 1 FROM ${schema}.${VECTOR_TABLES[kind]} v
     WHERE v.chunk_no = c.no AND ${ofModel(model)})`;
  const order = 'r.last_retrieved_at DESC NULLS LAST, c.created_at DESC, c.no DESC';
  return {
    pending: (place) => `${rows(place)} WHERE ${isMissing(place)}`,
    // Orders numbers and times only, because all chunks with their texts may not fit into memory.
    first: (place) =>
      `WITH missing AS MATERIALIZED (
         SELECT c.no, c.created_at FROM ${place.schema}.chunks c ${join(place)} WHERE ${isMissing(place)}
       ), first AS (
         SELECT c.no FROM missing c LEFT JOIN ${place.schema}.retrievals r ON r.chunk_no = c.no
         ORDER BY ${order} LIMIT $1
       ) ${rows(place)} WHERE c.no IN (SELECT no FROM first) ORDER BY ${order}`,
    id: 'c.id',
    order,
    lock: 'FOR KEY SHARE OF c',
  };
}

function embeddedTexts(row: DerivedRow): readonly string[] {
  return [embeddingText(row)];
}

/** A key that is equal for the same texts of the same chunk or source. */
export function textKey({ id, texts }: DerivedFrom): string {
  return JSON.stringify([id, texts]);
}
