import {
  type CosineStatistics,
  type Moments,
  statisticsOf,
} from '../../../domain/ranking/cosine-statistics.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { Session } from '../database/session.js';
import type { VectorModel } from './neighbour-index.js';
import { toVectorText } from './vector-values.js';

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
