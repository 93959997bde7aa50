import { cosineSimilarity, nearestFirst, type Vector } from '../../../domain/ranking/vector.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import type { Compared, Neighbour, VectorModel } from '../../../ports/vector-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import { Parameters, type Session } from '../database/session.js';

/** SQL for the vector of a table `v` that is compared with a query. */
const COMPARED = 'coalesce(v.compared, v.vector)';

/**
 * SQL condition on a table of vectors named `v` that selects the vectors of a model. It reads the vector that is
 * compared, because PostgreSQL stores the other one outside the row: reading both takes four times as long.
 */
export function ofModel({ model, dimensions }: VectorModel): string {
  return `v.model = ${literal(model)} AND vector_dims(${COMPARED}) = ${dimensions}`;
}

/** Quotes a text as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A query, and the vectors to compare with it. */
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
 * The nearest chunks. pgvector computes in single precision, so more candidates than the limit are fetched and rescored
 * in double precision.
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

/** How many candidates to fetch beyond the limit, because rescoring may change their order. */
const SPARE_ROWS = 50;

/**
 * The cosines of a sample: the vectors whose chunk number is a multiple of some step. If that leaves too few, all
 * cosines.
 */
export async function sampledCosines(
  session: Session,
  request: CosineRequest,
): Promise<ReadonlyMap<string, number>> {
  const [size] = await session.query<{ readonly rows: number; readonly last: number | null }>(
    `SELECT greatest(reltuples, 0) AS rows, (SELECT max(chunk_no) FROM ${request.table}) AS last
     FROM pg_class WHERE oid = '${request.table}'::regclass`,
  );
  const last = size?.last ?? 0;
  // PostgreSQL has no row count before it first analyzes a table; the highest number is the most it can have.
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
/** Maximum number of look-ups for a sample. If the numbers in use are too sparse for that, all vectors are compared. */
const SAMPLE_PLACES_MAX = 20_000;

interface Condition {
  /** SQL condition on chunks `c` and vectors `v`, whose parameters start with `$2`. */
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

/** Formats a vector for pgvector. */
export function toVectorText(vector: Vector): string {
  return `[${vector.join(',')}]`;
}

/** Parses the output of `vector_send`: number of dimensions, two unused bytes, and big-endian floats. */
export function fromVectorBytes(bytes: Buffer): Vector {
  const vector = new Float32Array(bytes.readUInt16BE(0));
  for (let i = 0; i < vector.length; i += 1) vector[i] = bytes.readFloatBE(HEADER_BYTES + 4 * i);
  return vector;
}

const HEADER_BYTES = 4;
