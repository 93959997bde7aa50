import {
  type CosineStatistics,
  type Moments,
  statisticsOf,
} from '../../../domain/ranking/vector.js';
import { toBlob } from '../database/vector-blob.js';
import { type Comparison, cosineOf } from './comparison.js';

/**
 * Mean and standard deviation of the cosines: over all vectors, or over those whose row is a multiple
 * of some number, which leaves between 1,500 and 3,000.
 */
export function cosineStatisticsOf(comparison: Comparison): CosineStatistics {
  const { db, source } = comparison;
  const size = db
    .prepare<[], { readonly rows: number; readonly lastRow: number | null }>(
      `SELECT count(*) AS rows, (SELECT max(rowid) FROM ${source.table}) AS lastRow FROM ${source.table}`,
    )
    .get() ?? { rows: 0, lastRow: 0 };
  const step = Math.floor(size.rows / SAMPLE_SIZE);
  const places = Math.floor((size.lastRow ?? 0) / Math.max(1, step));
  if (step > 1 && places <= SAMPLE_PLACES_MAX) {
    const rows = Array.from({ length: places }, (_, i) => (i + 1) * step);
    const sample = momentsOf(comparison, rows);
    if (sample.count >= SMALLEST_SAMPLE) return statisticsOf(sample);
  }
  return statisticsOf(momentsOf(comparison));
}

const SAMPLE_SIZE = 1500;
const SMALLEST_SAMPLE = 1000;
/** Where so few of the rows are left that a sample needs more look-ups, all are compared. */
const SAMPLE_PLACES_MAX = 20_000;

function momentsOf(
  { db, source, dimensions, query }: Comparison,
  rows?: readonly number[],
): Moments {
  const from =
    rows === undefined
      ? `${source.table} e`
      : `json_each(@rows) j CROSS JOIN ${source.table} e ON e.rowid = j.value`;
  return db
    .prepare<unknown[], Moments>(
      `WITH compared AS MATERIALIZED (
         SELECT ${cosineOf(source, dimensions)} AS cosine FROM ${from} WHERE ${source.condition}
       )
       SELECT count(cosine) AS count, avg(cosine) AS mean, avg(cosine * cosine) AS meanSquare
       FROM compared`,
    )
    .get({
      query: toBlob(query),
      rows: JSON.stringify(rows ?? []),
      model: source.model,
    }) as Moments;
}
