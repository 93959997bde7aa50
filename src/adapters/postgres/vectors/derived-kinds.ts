import { embeddingText } from '../../../domain/chunks/chunk.js';
import { normalize, weighedHeader } from '../../../domain/ranking/vector.js';
import type {
  DerivedEntries,
  DerivedFrom,
  VectorEntry,
  VectorModel,
} from '../../../ports/vector-index.js';
import type { TextRow } from '../chunks/chunk-rows.js';
import type { Session } from '../database/session.js';
import { literal, ofModel, toVectorText } from './vector-search.js';

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

interface DerivedPlace extends VectorModel {
  readonly schema: string;
}

/** How missing derived data is found and stored. */
interface DerivedKind<Entry> {
  /** A SELECT from a table named `c`, ending in a condition that can be extended with AND. */
  readonly pending: (place: DerivedPlace) => string;
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
    entries: readonly Pending<Entry>[],
  ) => Promise<number>;
}

type Pending<Entry> = Entry & Pick<DerivedRow, 'no'>;

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

/**
 * SQL for whether the source of the chunk of a vector `v` has a header without a vector, and is not in the list `$1`.
 */
export function waitsForHeader({ schema, model }: DerivedPlace): string {
  return `EXISTS (SELECT 1 FROM ${schema}.chunks c JOIN ${schema}.names n USING (source_file)
    WHERE c.no = v.chunk_no AND n.header <> '' AND n.model IS DISTINCT FROM ${literal(model)}
      AND NOT source_file = ANY($1::text[]))`;
}

function ofChunks(
  kind: keyof typeof VECTOR_TABLES,
): Pick<DerivedKind<never>, 'pending' | 'id' | 'order' | 'lock'> {
  return {
    pending: ({ schema, ...model }) =>
      `SELECT c.no, c.id, c.heading, c.content, v.model, ${kind === 'content' ? 'NULL' : 'q.texts'} AS questions
       FROM ${schema}.chunks c LEFT JOIN ${schema}.${VECTOR_TABLES[kind]} v ON v.chunk_no = c.no
       LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no
       ${kind === 'content' ? '' : `JOIN ${schema}.questions q ON q.chunk_no = c.no AND q.texts <> '{}'`}
       WHERE (${ofModel(model)}) IS NOT TRUE`,
    id: 'c.id',
    order: 'r.last_retrieved_at DESC NULLS LAST, c.created_at DESC, c.no DESC',
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

interface NewVectors {
  readonly entries: readonly Pending<VectorEntry>[];
  readonly table: string;
  /** SQL expression over `n` for the vector to compare with a query; NULL to compare the stored one. */
  readonly compared: string;
}

async function saveVectors(
  session: Session,
  { schema, ...model }: DerivedPlace,
  { entries, table, compared }: NewVectors,
): Promise<number> {
  const vectors = entries.map(({ vector }) => toVectorText(normalize(vector) ?? vector));
  const stored = await session.query(
    `INSERT INTO ${schema}.${table} AS v (chunk_no, model, vector, compared)
     SELECT n.no, $3, n.vector::vector, ${compared}
     FROM unnest($1::bigint[], $2::text[]) AS n(no, vector)
     ON CONFLICT (chunk_no) DO UPDATE SET model = excluded.model, vector = excluded.vector,
       compared = excluded.compared
     WHERE NOT (${ofModel(model)}) RETURNING 1`,
    [entries.map(({ no }) => no), vectors, model.model],
  );
  return stored.length;
}

async function saveQuestions(
  session: Session,
  { schema }: DerivedPlace,
  entries: readonly Pending<DerivedEntries['questionTexts']>[],
): Promise<number> {
  for (const { no, questions } of entries) {
    await session.query(
      `INSERT INTO ${schema}.questions (chunk_no, texts) VALUES ($1, $2)
       ON CONFLICT (chunk_no) DO NOTHING`,
      [no, questions],
    );
  }
  return entries.length;
}

async function saveHeaders(
  session: Session,
  { schema, model }: DerivedPlace,
  entries: readonly VectorEntry[],
): Promise<number> {
  for (const { id, vector } of entries) {
    const weighed = toVectorText(weighedHeader(vector));
    await session.query(
      `UPDATE ${schema}.names SET model = $1, vector = $2::vector WHERE source_file = $3`,
      [model, weighed, id],
    );
    await session.query(
      `UPDATE ${schema}.content_vectors v SET compared = v.vector + h.vector
       FROM ${schema}.chunks c JOIN ${schema}.names h ON h.source_file = c.source_file
       WHERE c.source_file = $1 AND v.chunk_no = c.no AND v.model = h.model`,
      [id],
    );
  }
  return entries.length;
}
