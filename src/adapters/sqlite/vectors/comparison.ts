import type { Database } from 'better-sqlite3';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import { chunkCondition } from '../chunks/chunk-condition.js';
import { HAS_ID } from '../chunks/chunk-rows.js';
import { prepared } from '../database/prepared.js';
import { BYTES_PER_VALUE, toBlob } from '../database/vector-blob.js';
import type { VectorSource } from './vector-tables.js';

/** A query vector and what it is compared with, on a connection that has sqlite-vec. */
export interface Comparison {
  readonly db: Database;
  readonly source: VectorSource;
  readonly dimensions: number;
  /** Of length 1. */
  readonly query: Vector;
}

/** The row of a vector, with the chunk that it belongs to. */
export interface ComparedRow {
  readonly row: number;
  readonly chunkId: string;
  readonly cosine: number;
}

/** Which vectors `nearestOf` reads. */
export interface Candidates {
  /** A FROM clause with the vectors as `e` and their chunks as `c`. */
  readonly vectorsAndChunks: (source: VectorSource) => string;
  /** A FROM clause with the vectors as `e`, for many vectors: only the best ones' chunks are looked up then. */
  readonly vectors?: (source: VectorSource) => string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What `nearestOf` is asked for. */
export interface NearestRequest {
  readonly filter: ChunkFilter;
  readonly limit: number;
}

/** The cosines of the chunks that have a vector. */
export function similaritiesOf(
  { db, source, dimensions, query }: Comparison,
  ids: readonly string[],
): ReadonlyMap<string, number> {
  const rows = prepared<unknown[], { readonly id: string; readonly cosine: number }>(
    db,
    `WITH compared AS MATERIALIZED (
         SELECT e.rowid AS row, ${source.id} AS id, ${cosineOf(source, dimensions)} AS cosine
         FROM json_each(@ids) j CROSS JOIN ${source.table} e ON ${source.id} = j.value
         WHERE ${source.condition}
       )
       SELECT compared.id, ${exactCosineOf(source, 'compared')} AS cosine
       FROM compared CROSS JOIN ${source.table} e ON e.rowid = compared.row
       WHERE compared.cosine IS NOT NULL`,
  ).all({ ...queryParameters(query), ids: JSON.stringify(ids), model: source.model });
  return new Map(rows.map(({ id, cosine }) => [id, cosine]));
}

/** The nearest of some vectors whose chunks pass the filter: up to `limit` + 32, in no particular order. */
export function nearestOf(
  comparison: Comparison,
  candidates: Candidates,
  request: NearestRequest,
): readonly ComparedRow[] {
  const { vectors } = candidates;
  if (vectors !== undefined && chunkCondition(request.filter) === undefined) {
    const nearest = nearestByVector(comparison, { ...candidates, vectors }, request.limit);
    if (nearest.length >= request.limit) return nearest;
  }
  return nearestByChunk(comparison, candidates, request);
}

/** Looks up the chunks of the best vectors only, so it returns too few rows if many vectors have no chunk. */
function nearestByVector(
  { db, source, dimensions, query }: Comparison,
  { vectors, parameters }: Candidates & Required<Pick<Candidates, 'vectors'>>,
  limit: number,
): readonly ComparedRow[] {
  return prepared<unknown[], ComparedRow>(
    db,
    `WITH compared AS MATERIALIZED (
         SELECT e.rowid AS row, ${source.id} AS chunkId, ${cosineOf(source, dimensions)} AS cosine
         FROM ${vectors(source)} WHERE ${source.condition}
       ), ${exactlyCompared(source)} ${chunkOf(source)} WHERE ${HAS_ID}`,
  ).all({ ...parameters, ...queryParameters(query), most: limit + SURPLUS, model: source.model });
}

function nearestByChunk(
  { db, source, dimensions, query }: Comparison,
  { vectorsAndChunks, parameters }: Candidates,
  { filter, limit }: NearestRequest,
): readonly ComparedRow[] {
  const filtered = chunkCondition(filter) ?? { sql: 'true', parameters: [] };
  return prepared<unknown[], ComparedRow>(
    db,
    `WITH compared AS MATERIALIZED (
         SELECT e.rowid AS row, ${source.id} AS chunkId, ${cosineOf(source, dimensions)} AS cosine
         FROM ${vectorsAndChunks(source)}
         WHERE ${source.condition} AND ${HAS_ID} AND ${filtered.sql}
       ), ${exactlyCompared(source)}`,
  ).all(...filtered.parameters, {
    ...parameters,
    ...queryParameters(query),
    most: limit + SURPLUS,
    model: source.model,
  });
}

/** The rest of a statement that begins with `compared`. */
function exactlyCompared(source: VectorSource): string {
  return `best AS MATERIALIZED (
      SELECT * FROM compared WHERE cosine IS NOT NULL ORDER BY cosine DESC, chunkId LIMIT @most
    )
    SELECT best.row, best.chunkId, ${exactCosineOf(source, 'best')} AS cosine
    FROM best CROSS JOIN ${source.table} e ON e.rowid = best.row`;
}

/** So many more are compared exactly, since the first comparison may confuse vectors that are nearly equal. */
const SURPLUS = 32;

/** The vectors in the given rows. */
export function rowsOf(rows: readonly number[]): Candidates {
  return {
    ...joinedToChunks(
      (source) => `json_each(@rows) j CROSS JOIN ${source.table} e ON e.rowid = j.value`,
    ),
    parameters: { rows: JSON.stringify(rows) },
  };
}

export const allVectors: Candidates = {
  ...joinedToChunks((source) => `${source.table} e`),
  parameters: {},
};

/** The vectors of the chunks that pass the filter, found by way of the chunks. */
export const vectorsOfChunks: Candidates = {
  vectorsAndChunks: (source) => `chunks c CROSS JOIN ${source.table} e ON ${source.id} = c.id`,
  parameters: {},
};

/** The vectors that are not in the index of neighbours yet. */
export const changedRows: Candidates = {
  vectorsAndChunks: (source) =>
    `(SELECT DISTINCT row FROM store_vector_changes) j
     CROSS JOIN ${source.table} e ON e.rowid = j.row ${chunkOf(source)}`,
  parameters: {},
};

function joinedToChunks(vectors: (source: VectorSource) => string) {
  return {
    vectors,
    vectorsAndChunks: (source: VectorSource) => `${vectors(source)} ${chunkOf(source)}`,
  };
}

/**
 * SQL for the cosine, exact to 2e-6; NULL for what is not a vector of this dimension, because sqlite-vec would
 * refuse it and the whole statement with it. Its distances are 32-bit floats, so that a cosine may leave its
 * range by rounding.
 */
export function cosineOf({ blob }: VectorSource, dimensions: number): string {
  return `CASE WHEN typeof(${blob}) = 'blob' AND length(${blob}) = ${dimensions * BYTES_PER_VALUE}
    THEN max(-1.0, min(1.0, 1 - vec_distance_cosine(${blob}, @query))) END`;
}

/**
 * To better than 1e-6, of a row whose cosine is known less precisely. A 32-bit cosine is least precise for
 * vectors that are nearly parallel, and a 32-bit distance most precise.
 */
function exactCosineOf({ blob }: VectorSource, compared: string): string {
  const squareFrom = (query: string) => `pow(vec_distance_l2(vec_normalize(${blob}), ${query}), 2)`;
  return `CASE WHEN ${compared}.cosine > 0.3 THEN 1 - ${squareFrom('@query')} / 2
    WHEN ${compared}.cosine < -0.3 THEN ${squareFrom('@opposite')} / 2 - 1
    ELSE ${compared}.cosine END`;
}

function queryParameters(query: Vector) {
  return { query: toBlob(query), opposite: toBlob(query.map((value) => -value)) };
}

function chunkOf(source: VectorSource): string {
  return `CROSS JOIN chunks c ON c.id = ${source.id}`;
}
