import { createHash } from 'node:crypto';
import {
  type CosineStatistics,
  cosineSimilarity,
  type Moments,
  statisticsOf,
  type Vector,
} from '../../../domain/ranking/vector.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { Neighbour } from '../../../ports/driven/vector-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import type { ProjectContext } from '../database/project-database.js';
import { Parameters, type Session } from '../database/session.js';
import type { OptionalIndexes } from '../indexes/optional-indexes.js';

/** The model whose vectors are compared. */
export interface VectorModel {
  readonly model: string;
  readonly dimensions: number;
}

/** An index of the content vectors of one model; named after it, so that another model has another. */
export function neighbourIndexName({ model }: VectorModel): string {
  return `near_${createHash('sha256').update(model).digest('hex').slice(0, 12)}`;
}

/**
 * HNSW over vectors in half precision, which takes half the space; results are compared again exactly. The
 * graph is denser than pgvector's default, which misses whole groups of near vectors (docs/scale.md).
 */
export function neighbourIndexDefinition(
  schema: string,
  { model, dimensions }: VectorModel,
): string {
  const name = model.replaceAll("'", "''");
  return `ON ${schema}.content_vectors USING hnsw
    ((vector::halfvec(${dimensions})) halfvec_cosine_ops)
    WITH (m = 32, ef_construction = 128)
    WHERE model = '${name}' AND vector_dims(vector) = ${dimensions}`;
}

export interface NearestSearch extends VectorModel {
  /** Of length 1. */
  readonly query: Vector;
  readonly filter: ChunkFilter;
  readonly limit: number;
  /** Of the vectors. */
  readonly table: string;
}

/**
 * The nearest chunks. pgvector adds in single precision, and the index compares in half precision: more
 * rows than asked for are fetched and compared again in double precision.
 */
export async function findNearest(
  project: ProjectContext,
  indexes: OptionalIndexes,
  search: NearestSearch,
): Promise<readonly Neighbour[]> {
  const { database, schema } = project;
  if (search.table.endsWith('.content_vectors')) {
    const found = await indexes.read(neighbourIndexName(search), async (session) => {
      await session.execute(`BEGIN READ ONLY; ${INDEX_SETTINGS}`);
      try {
        return await fetchRows(session, schema, { ...search, kind: 'indexed' });
      } finally {
        await session.execute('ROLLBACK');
      }
    });
    if (found !== undefined && found.length >= search.limit) return best(found, search);
  }
  const rows = await database.read((session) =>
    fetchRows(session, schema, { ...search, kind: 'exact' }),
  );
  return best(rows, search);
}

/** Rows that are fetched beyond the limit, because their order may change. */
const SPARE_ROWS = 50;
/** Rows that an index search looks at, the most that pgvector takes; more until enough of them pass the filter. */
const INDEX_SETTINGS = `SET LOCAL hnsw.ef_search = 1000; SET LOCAL hnsw.iterative_scan = strict_order`;

interface VectorRow {
  readonly id: string;
  readonly bytes: Buffer;
}

function fetchRows(
  session: Session,
  schema: string,
  search: NearestSearch & { readonly kind: 'indexed' | 'exact' },
): Promise<readonly VectorRow[]> {
  const parameters = new Parameters();
  const { query, filter, limit, model, dimensions, table, kind } = search;
  const vector = parameters.add(toVectorText(query));
  const distance =
    kind === 'indexed'
      ? `v.vector::halfvec(${dimensions}) <=> ${vector}::halfvec(${dimensions})`
      : `v.vector <=> ${vector}::vector`;
  const condition = chunkCondition(filter, parameters);
  const join = condition === 'true' ? '' : `JOIN ${schema}.chunks c ON c.no = v.chunk_no`;
  const sql = `SELECT c.id, vector_send(v.vector) AS bytes FROM (
      SELECT v.chunk_no FROM ${table} v ${join}
      WHERE v.model = '${model.replaceAll("'", "''")}' AND vector_dims(v.vector) = ${dimensions}
        AND ${condition}
      ORDER BY ${distance} LIMIT ${parameters.add(limit + SPARE_ROWS)}
    ) near JOIN ${table} v ON v.chunk_no = near.chunk_no JOIN ${schema}.chunks c ON c.no = near.chunk_no`;
  return session.query<VectorRow>(sql, parameters.values);
}

function best(rows: readonly VectorRow[], { query, limit }: NearestSearch): readonly Neighbour[] {
  return rows
    .map(({ id, bytes }) => ({
      chunkId: id,
      cosine: cosineSimilarity(query, fromVectorBytes(bytes)),
    }))
    .toSorted((a, b) => b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1))
    .slice(0, limit);
}

export interface StatisticsRequest extends VectorModel {
  /** Of length 1. */
  readonly query: Vector;
  /** Of the vectors. */
  readonly table: string;
  /** About how many chunks there are. */
  readonly chunks: number;
}

/** Over all vectors, or over those whose number is a multiple of some step, if that leaves enough. */
export async function cosineStatisticsOf(
  session: Session,
  request: StatisticsRequest,
): Promise<CosineStatistics> {
  const step = Math.floor(request.chunks / SAMPLE_SIZE);
  if (step > 1) {
    const sample = await momentsOf(session, request, step);
    if (sample.count >= SMALLEST_SAMPLE) return statisticsOf(sample);
  }
  return statisticsOf(await momentsOf(session, request, 1));
}

const SAMPLE_SIZE = 1500;
const SMALLEST_SAMPLE = 1000;
/** Where so few of the numbers are left that a sample needs more look-ups, all are compared. */
const SAMPLE_PLACES_MAX = 20_000;

const NO_MOMENTS: Moments = { count: 0, mean: null, meanSquare: null };

async function momentsOf(
  session: Session,
  { query, table, model, dimensions }: StatisticsRequest,
  step: number,
): Promise<Moments> {
  const sample = `AND v.chunk_no = ANY(ARRAY(SELECT generate_series($4, (SELECT least(
    max(chunk_no), $4 * ${SAMPLE_PLACES_MAX}::bigint) FROM ${table}), $4::bigint)))`;
  const [moments = NO_MOMENTS] = await session.query<Moments>(
    `WITH compared AS MATERIALIZED (
       SELECT 1 - (v.vector <=> $1::vector) AS cosine FROM ${table} v
       WHERE v.model = $2 AND vector_dims(v.vector) = $3 ${step > 1 ? sample : ''}
     )
     SELECT count(cosine) AS count, avg(cosine) AS mean, avg(cosine * cosine) AS "meanSquare"
     FROM compared`,
    [toVectorText(query), model, dimensions, ...(step > 1 ? [step] : [])],
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
