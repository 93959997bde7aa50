import { normalize, weighedHeader } from '../../../domain/ranking/vector.js';
import type { DerivedEntries, VectorEntry, VectorModel } from '../../../ports/vector-index.js';
import type { Session } from '../database/session.js';
import { ofModel, toVectorText } from './vector-search.js';

export interface DerivedPlace extends VectorModel {
  readonly schema: string;
}

/** An entry, and the number of its chunk. */
export type Numbered<Entry> = Entry & { readonly no: number };

interface NewVectors {
  readonly entries: readonly Numbered<VectorEntry>[];
  readonly table: string;
  /** SQL expression over `n` for the vector to compare with a query; NULL to compare the stored one. */
  readonly compared: string;
}

export async function saveVectors(
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

export async function saveQuestions(
  session: Session,
  { schema }: DerivedPlace,
  entries: readonly Numbered<DerivedEntries['questionTexts']>[],
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

export async function saveHeaders(
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
