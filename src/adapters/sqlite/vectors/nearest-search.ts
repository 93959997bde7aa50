import type { Database } from 'better-sqlite3';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { Neighbour } from '../../../ports/driven/vector-index.js';
import { chunkCondition } from '../chunks/chunk-condition.js';
import {
  allVectors,
  type ComparedRow,
  type Comparison,
  changedRows,
  type NearestRequest,
  nearestOf,
  rowsOf,
  vectorsOfChunks,
} from './comparison.js';
import { expectedMisses } from './expected-misses.js';
import { isFailureOfExtension, type NearRow, type NeighbourIndex } from './neighbour-index.js';

/**
 * The nearest chunks by way of the index: the rows with the nearest codes are compared exactly, and so
 * are those that the index does not know yet. Undefined if there is no index, if it is too far behind, or if
 * it is not certain enough that the list is complete: all vectors have to be compared then.
 */
export function nearestByIndex(
  comparison: Comparison,
  request: NearestRequest,
  { index, codes }: { readonly index: NeighbourIndex; readonly codes: Uint8Array },
): readonly Neighbour[] | undefined {
  const { db } = comparison;
  const metric = index.metric(db);
  if (metric === undefined) return undefined;
  const outdated = new Set(index.changedRows(db, OUTDATED_ROWS_MAX + 1));
  if (outdated.size > OUTDATED_ROWS_MAX) return undefined;
  const changed = outdated.size === 0 ? [] : nearestOf(comparison, changedRows, request);
  const enough = { ...request, limit: Math.max(request.limit, SAMPLE) };
  const wanted = enough.limit / shareOf(db, request.filter);
  for (const k of widthsFor(wanted * metric.surplus)) {
    const near = closestRows(index, { db, codes, k });
    if (near === undefined || near.length < k) return undefined;
    const rows = near.map(({ row }) => row).filter((row) => !outdated.has(row));
    const compared = nearestOf(comparison, rowsOf(rows), enough);
    const nearest = merged([...changed, ...compared], request.limit);
    if (isProbablyExact(nearest, { near, compared, limit: request.limit })) {
      return nearest.map(toNeighbour);
    }
  }
  return undefined;
}

/** The nearest chunks, if at most 1,000 pass the filter: one statement compares them all. Otherwise undefined. */
export function nearestOfFew(
  comparison: Comparison,
  request: NearestRequest,
): readonly Neighbour[] | undefined {
  const { db, source } = comparison;
  const lastRow = db.prepare<[], number>(`SELECT max(rowid) FROM ${source.table}`).pluck().get();
  const isFewEnough =
    (lastRow ?? 0) <= COMPARED_DIRECTLY_MAX ||
    countOf(db, request.filter, COMPARED_DIRECTLY_MAX + 1) <= COMPARED_DIRECTLY_MAX;
  if (!isFewEnough) return undefined;
  return merged(nearestOf(comparison, vectorsOfChunks, request), request.limit).map(toNeighbour);
}

/** The nearest chunks, compared one by one with all vectors. */
export function nearestOfAll(
  comparison: Comparison,
  request: NearestRequest,
): readonly Neighbour[] {
  return merged(nearestOf(comparison, allVectors, request), request.limit).map(toNeighbour);
}

/** So many vectors are compared directly in 2 ms; an index would not be faster. */
export const COMPARED_DIRECTLY_MAX = 1000;

/** Comparing more of them one by one takes longer than comparing all. */
const OUTDATED_ROWS_MAX = 5000;
/** vec0 refuses a query that asks for more. */
const VEC0_K_MAX = 4096;

/** How many codes to look at: first `codes`, then four times as many if the list may be incomplete. */
function widthsFor(codes: number): ReadonlySet<number> {
  return new Set([codes, 4 * codes].map((width) => Math.min(VEC0_K_MAX, Math.ceil(width))));
}

function closestRows(
  index: NeighbourIndex,
  { db, codes, k }: { readonly db: Database; readonly codes: Uint8Array; readonly k: number },
): readonly NearRow[] | undefined {
  try {
    return index.closest(db, codes, k);
  } catch (error) {
    if (isFailureOfExtension(error)) return undefined;
    throw error;
  }
}

/** Whether the list is the same as that of an exact search in more than 99.9 % of such cases. */
function isProbablyExact(
  nearest: readonly ComparedRow[],
  found: {
    readonly near: readonly NearRow[];
    readonly compared: readonly ComparedRow[];
    readonly limit: number;
  },
): boolean {
  if (nearest.length < found.limit) return false;
  const codes = new Map(found.near.map(({ row, distance }) => [row, distance]));
  const sample = merged(found.compared, Math.max(found.limit, SAMPLE)).map(({ row, cosine }) => ({
    distance: distanceOf(cosine),
    codeDistance: codes.get(row) ?? 0,
  }));
  const distances = nearest.map(({ cosine }) => distanceOf(cosine));
  const furthest = found.near.at(-1)?.distance ?? 0;
  return expectedMisses(distances, furthest, sample) < EXPECTED_MISSES_MAX;
}

/** So many compared vectors say how closely codes follow vectors. */
const SAMPLE = 50;
const EXPECTED_MISSES_MAX = 0.001;

/** Between vectors of length 1. */
function distanceOf(cosine: number): number {
  return Math.sqrt(Math.max(0, 2 - 2 * cosine));
}

function merged(rows: readonly ComparedRow[], limit: number): readonly ComparedRow[] {
  return rows
    .toSorted((a, b) => b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1))
    .slice(0, limit);
}

function toNeighbour({ chunkId, cosine }: ComparedRow): Neighbour {
  return { chunkId, cosine };
}

/** The share of chunks that pass the filter. */
function shareOf(db: Database, filter: ChunkFilter): number {
  if (chunkCondition(filter) === undefined) return 1;
  const all = countOf(db, { sourceTypes: 'all' });
  return all === 0 ? 1 : countOf(db, filter) / all;
}

/** The number of chunks that pass the filter; counts no further than `limit`. */
function countOf(db: Database, filter: ChunkFilter, limit = -1): number {
  const { sql, parameters } = chunkCondition(filter) ?? { sql: 'true', parameters: [] };
  return db
    .prepare<unknown[], number>(
      `SELECT count(*) FROM (SELECT 1 FROM chunks c WHERE ${sql} LIMIT ?)`,
    )
    .pluck()
    .get(...parameters, limit) as number;
}
