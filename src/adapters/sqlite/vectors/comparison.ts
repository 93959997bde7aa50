import type { Database } from 'better-sqlite3';
import {
  cosineSimilarity,
  nearestFirst,
  type Vector,
  withHeader,
} from '../../../domain/ranking/vector.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import type { Neighbour } from '../../../ports/vector-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import { isVector, toBlob, toVector } from '../database/encodings.js';
import type { RowPart } from '../database/row-parts.js';
import { prepareOnce } from '../database/statements.js';
import type { VectorSource } from './derived-kinds.js';

/** A comparison of a query vector with stored vectors, on a connection with sqlite-vec. */
export interface Comparison {
  readonly db: Database;
  readonly source: VectorSource;
  readonly model: string;
  /** A unit vector. */
  readonly query: Vector;
}

/** The cosines of those chunks that have a vector. */
export function readSimilarities(
  comparison: Comparison,
  ids: readonly string[],
): ReadonlyMap<string, number> {
  const { table, id } = comparison.source;
  return readCosines(comparison, `${LISTED} ${table} e ON ${id} = j.value`, ids);
}

interface ComparedChunks {
  readonly filter: ChunkFilter;
  readonly part: RowPart;
}

/** The chunks with the nearest contents, nearest first. Compares the vectors of all chunks that pass the filter. */
export function selectNearest(
  comparison: Comparison,
  { filter, part }: ComparedChunks,
  limit: number,
): readonly Neighbour[] {
  const { db, source, query } = comparison;
  const condition = chunkCondition(filter) ?? { sql: 'true', parameters: [] };
  return prepareOnce<unknown[], readonly [id: string, blob: Uint8Array, header: Uint8Array]>(
    db,
    `WITH compared AS MATERIALIZED (
       SELECT e.rowid AS row, c.id, ${cosineSql(comparison)} AS cosine
         , h.id AS header
       FROM chunks c CROSS JOIN ${source.table} e ON ${source.id} = c.id
         ${headerJoin('c')}
       WHERE ${source.condition} AND ${part.condition('c')} AND ${condition.sql}
     ), best AS MATERIALIZED (
       SELECT * FROM compared WHERE cosine IS NOT NULL ORDER BY cosine DESC, id LIMIT @most
     )
     SELECT best.id, ${source.blob}, h.vector FROM best
     CROSS JOIN ${source.table} e ON e.rowid = best.row
     LEFT JOIN store_names h ON h.id = best.header`,
  )
    .raw()
    .all(...condition.parameters, {
      ...queryParameters(comparison),
      ...part.parameters,
      most: limit + SURPLUS,
    })
    .flatMap(([chunkId, ...blobs]) => {
      const cosine = exactCosine(query, ...blobs);
      return cosine === undefined ? [] : [{ chunkId, cosine }];
    })
    .toSorted(nearestFirst)
    .slice(0, limit);
}

/** How many more candidates than the limit are rescored exactly, since 32-bit cosines may swap nearly equal vectors. */
const SURPLUS = 32;

/** Undefined if the vector cannot be compared, such as one too short for 32-bit floats. */
function exactCosine(query: Vector, blob: Uint8Array, header: Uint8Array | null) {
  const vector = toVector(blob, query.length);
  return vector && cosineSimilarity(query, withHeader(vector, toVector(header, query.length)));
}

/** The cosines of all chunks that have a vector. If there are many, takes an evenly spaced sample of at least 1,000. */
export function sampledCosines(comparison: Comparison): ReadonlyMap<string, number> {
  const { db, source } = comparison;
  const last = prepareOnce<[], number | null>(db, `SELECT max(rowid) FROM ${source.table}`).pluck();
  const lastRow = last.get() ?? 0;
  const step = Math.floor(lastRow / SAMPLED_ROWS);
  if (step > 1) {
    const rows = Array.from({ length: Math.floor(lastRow / step) }, (_, i) => (i + 1) * step);
    const sample = readCosines(
      comparison,
      `${LISTED} ${source.table} e ON e.rowid = j.value`,
      rows,
    );
    if (sample.size >= SMALLEST_SAMPLE) return sample;
  }
  return readCosines(comparison, `${source.table} e`);
}

const SAMPLED_ROWS = 1500;
const SMALLEST_SAMPLE = 1000;

const LISTED = 'json_each(@values) j CROSS JOIN';

function readCosines(
  comparison: Comparison,
  from: string,
  values?: readonly (string | number)[],
): ReadonlyMap<string, number> {
  const { db, source } = comparison;
  const rows = prepareOnce<unknown[], readonly [id: string, cosine: number | null]>(
    db,
    `SELECT ${source.id}, ${cosineSql(comparison)} FROM ${from} ${ownHeader(source)}
     WHERE ${source.condition}`,
  )
    .raw()
    .all({ ...queryParameters(comparison), ...(values && { values: JSON.stringify(values) }) });
  return new Map(rows.flatMap(([id, cosine]) => (cosine === null ? [] : [[id, cosine] as const])));
}

/** Joins the header `h` that belongs to a vector. */
function ownHeader({ isContent, id }: VectorSource): string {
  return isContent ? `LEFT JOIN chunks hc ON hc.id = ${id} ${headerJoin('hc')}` : '';
}

/** Joins the header `h` of a chunk. The argument is the alias of a table with a column `source_file`. */
function headerJoin(chunks: string): string {
  return `LEFT JOIN store_names h ON h.source_file = ${chunks}.source_file AND h.model = @model`;
}

/**
 * SQL for the cosine, exact to 2e-6. NULL for anything but a vector of this dimension, because sqlite-vec would refuse
 * the whole statement. Clamped, because rounding may take a 32-bit cosine out of its range.
 */
function cosineSql({ source: { blob, isContent }, query }: Comparison): string {
  const compared = isContent
    ? `CASE WHEN ${isVector('h.vector', query.length)} THEN vec_add(${blob}, h.vector) ELSE ${blob} END`
    : blob;
  return `CASE WHEN ${isVector(blob, query.length)}
    THEN max(-1.0, min(1.0, 1 - vec_distance_cosine(${compared}, @query))) END`;
}

function queryParameters({ query, model }: Comparison) {
  return { query: toBlob(query), model };
}
