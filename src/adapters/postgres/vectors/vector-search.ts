import {
  type CosineStatistics,
  cosineSimilarity,
  type Moments,
  nearestFirst,
  statisticsOf,
  type Vector,
} from '../../../domain/ranking/vector.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import type { Neighbour } from '../../../ports/vector-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import { Parameters, type Session } from '../database/session.js';

/** The model whose vectors are compared. */
export interface VectorModel {
  readonly model: string;
  readonly dimensions: number;
}

/** A condition on a table of vectors named `v`: those of the model. */
export function ofModel({ model, dimensions }: VectorModel): string {
  return `v.model = '${model.replaceAll("'", "''")}' AND vector_dims(v.vector) = ${dimensions}`;
}

/** What a query is compared with, in a table of vectors named `v`. */
const COMPARED = 'coalesce(v.compared, v.vector)';

/** The cosine of that to a query vector. */
export function cosineTo(query: string): string {
  return `1 - (${COMPARED} <=> ${query}::vector)`;
}

interface NearestSearch extends VectorModel {
  readonly schema: string;
  /** Of the vectors. */
  readonly table: string;
  /** Of length 1. */
  readonly query: Vector;
  readonly filter: ChunkFilter;
  readonly limit: number;
}

/**
 * The nearest chunks. pgvector adds in single precision: more rows than asked for are fetched and compared again in double
 * precision.
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

interface StatisticsRequest extends VectorModel {
  /** Of the vectors. */
  readonly table: string;
  /** Of length 1. */
  readonly query: Vector;
}

/** Over all vectors, or over those whose number is a multiple of some step, if that leaves enough. */
export async function cosineStatisticsOf(
  session: Session,
  request: StatisticsRequest,
): Promise<CosineStatistics> {
  const [size] = await session.query<{ readonly rows: number; readonly last: number | null }>(
    `SELECT greatest(reltuples, 0) AS rows, (SELECT max(chunk_no) FROM ${request.table}) AS last
     FROM pg_class WHERE oid = '${request.table}'::regclass`,
  );
  const step = Math.floor((size?.rows ?? 0) / SAMPLE_SIZE);
  const places = Math.floor((size?.last ?? 0) / Math.max(1, step));
  if (step > 1 && places <= SAMPLE_PLACES_MAX) {
    const numbers = Array.from({ length: places }, (_, i) => (i + 1) * step);
    const sample = await momentsOf(session, request, numbers);
    if (sample.count >= SMALLEST_SAMPLE) return statisticsOf(sample);
  }
  return statisticsOf(await momentsOf(session, request));
}

const SAMPLE_SIZE = 1500;
const SMALLEST_SAMPLE = 1000;
/** Where so few of the numbers are left that a sample needs more look-ups, all are compared. */
const SAMPLE_PLACES_MAX = 20_000;

const NO_MOMENTS: Moments = { count: 0, mean: null, meanSquare: null };

async function momentsOf(
  session: Session,
  request: StatisticsRequest,
  numbers?: readonly number[],
): Promise<Moments> {
  const [moments = NO_MOMENTS] = await session.query<Moments>(
    `WITH compared AS MATERIALIZED (
       SELECT ${cosineTo('$1')} AS cosine FROM ${request.table} v
       WHERE ${ofModel(request)} ${numbers === undefined ? '' : 'AND v.chunk_no = ANY($2)'}
     )
     SELECT count(cosine) AS count, avg(cosine) AS mean, avg(cosine * cosine) AS "meanSquare"
     FROM compared`,
    [toVectorText(request.query), ...(numbers === undefined ? [] : [numbers])],
  );
  return moments;
}

/** A vector as pgvector reads it. */
export function toVectorText(vector: Vector): string {
  return `[${vector.join(',')}]`;
}

/** What `vector_send` returns: the number of dimensions, two bytes of nothing, and big-endian floats. */
export function fromVectorBytes(bytes: Buffer): Vector {
  const vector = new Float32Array(bytes.readUInt16BE(0));
  for (let i = 0; i < vector.length; i += 1) vector[i] = bytes.readFloatBE(HEADER_BYTES + 4 * i);
  return vector;
}

const HEADER_BYTES = 4;
