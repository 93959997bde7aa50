import { cosineSimilarity, nearestFirst, type Vector } from '../../../domain/ranking/vector.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import type { Compared, Neighbour, VectorModel } from '../../../ports/vector-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import { Parameters, type Session } from '../database/session.js';

/** A condition on a table of vectors named `v`: only vectors of the model. */
export function ofModel({ model, dimensions }: VectorModel): string {
  return `v.model = ${literal(model)} AND vector_dims(v.vector) = ${dimensions}`;
}

/** A text as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The vector that a query is compared with, in a table named `v`. */
const COMPARED = 'coalesce(v.compared, v.vector)';

/** The kind of vectors to compare with a query. */
export interface CosineRequest extends VectorModel {
  readonly schema: string;
  /** The table of the vectors. */
  readonly table: string;
  /** A unit vector. */
  readonly query: Vector;
  readonly compared: Compared;
}

interface NearestSearch extends CosineRequest {
  readonly filter: ChunkFilter;
  readonly limit: number;
}

/**
 * The nearest chunks. pgvector adds in single precision: more rows than asked for are fetched and compared again in
 * double precision.
 */
export async function findNearest(
  session: Session,
  search: NearestSearch,
): Promise<readonly Neighbour[]> {
  const parameters = new Parameters();
  const { schema, table, query, filter, limit } = search;
  const vector = parameters.add(toVectorText(query));
  const condition = chunkCondition(filter, parameters);
  const join = condition === 'true' ? '' : `JOIN ${schema}.chunks c ON c.no = v.chunk_no`;
  const rows = await session.query<{ readonly id: string; readonly bytes: Buffer }>(
    `SELECT c.id, vector_send(${COMPARED}) AS bytes FROM (
       SELECT v.chunk_no FROM ${table} v ${join} WHERE ${ofModel(search)} AND ${condition}
       ORDER BY ${COMPARED} <=> ${vector}::vector LIMIT ${parameters.add(limit + SPARE_ROWS)}
     ) near JOIN ${table} v USING (chunk_no) JOIN ${schema}.chunks c ON c.no = near.chunk_no`,
    parameters.values,
  );
  return rows
    .map(({ id, bytes }) => ({
      chunkId: id,
      cosine: cosineSimilarity(query, fromVectorBytes(bytes)),
    }))
    .toSorted(nearestFirst)
    .slice(0, limit);
}

/** Rows that are fetched beyond the limit, because their order may change. */
const SPARE_ROWS = 50;

/** The cosines of all vectors, or of those whose number is a multiple of some step, if that leaves enough. */
export async function sampledCosines(
  session: Session,
  request: CosineRequest,
): Promise<ReadonlyMap<string, number>> {
  const [size] = await session.query<{ readonly rows: number; readonly last: number | null }>(
    `SELECT greatest(reltuples, 0) AS rows, (SELECT max(chunk_no) FROM ${request.table}) AS last
     FROM pg_class WHERE oid = '${request.table}'::regclass`,
  );
  const last = size?.last ?? 0;
  // A table that the server has not counted yet is assumed to have as many rows as it ever had.
  const step = Math.floor((size?.rows || last) / SAMPLE_SIZE);
  const places = Math.floor(last / Math.max(1, step));
  if (step > 1 && places <= SAMPLE_PLACES_MAX) {
    const numbers = Array.from({ length: places }, (_, i) => (i + 1) * step);
    const condition = 'v.chunk_no = ANY($2)';
    const sample = await cosinesTo(session, request, { condition, values: [numbers] });
    if (sample.size >= SMALLEST_SAMPLE) return sample;
  }
  return cosinesTo(session, request, { condition: 'true', values: [] });
}

const SAMPLE_SIZE = 1500;
const SMALLEST_SAMPLE = 1000;
/** If so few of the numbers are in use that a sample would need more look-ups, all vectors are compared. */
const SAMPLE_PLACES_MAX = 20_000;

interface Condition {
  /** On chunks `c` and vectors `v`; its values begin with `$2`. */
  readonly condition: string;
  readonly values: readonly unknown[];
}

/** The cosines to the vectors of the chunks that meet a condition. */
export async function cosinesTo(
  session: Session,
  request: CosineRequest,
  { condition, values }: Condition,
): Promise<ReadonlyMap<string, number>> {
  const { schema, table, query } = request;
  const vector = request.compared === 'stored' ? 'v.vector' : COMPARED;
  const rows = await session.query<{ readonly id: string; readonly cosine: number }>(
    `SELECT c.id, 1 - (${vector} <=> $1::vector) AS cosine
     FROM ${schema}.chunks c JOIN ${table} v ON v.chunk_no = c.no
     WHERE ${condition} AND ${ofModel(request)}`,
    [toVectorText(query), ...values],
  );
  return new Map(rows.map(({ id, cosine }) => [id, cosine]));
}

/** A vector as pgvector reads it. */
export function toVectorText(vector: Vector): string {
  return `[${vector.join(',')}]`;
}

/** The format of `vector_send`: the number of dimensions, two unused bytes, and big-endian floats. */
export function fromVectorBytes(bytes: Buffer): Vector {
  const vector = new Float32Array(bytes.readUInt16BE(0));
  for (let i = 0; i < vector.length; i += 1) vector[i] = bytes.readFloatBE(HEADER_BYTES + 4 * i);
  return vector;
}

const HEADER_BYTES = 4;
