import type { Database } from 'better-sqlite3';
import type { CosineStatistics } from '../../../domain/ranking/vector.js';
import { isStorable, normalized, type Vector } from '../../../domain/ranking/vector.js';
import type { VectorStatus } from '../../../domain/stats.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type {
  Neighbour,
  PendingVector,
  VectorEntry,
  VectorIndex,
} from '../../../ports/driven/vector-index.js';
import { onSnapshot, prepared } from '../database/prepared.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { toBlob, toVector } from '../database/vector-blob.js';
import { type Comparison, type NearestRequest, similaritiesOf } from './comparison.js';
import { cosineStatisticsOf } from './cosine-statistics.js';
import { nearestByIndex, nearestOfAll, nearestOfFew } from './nearest-search.js';
import { quantized } from './neighbour-table.js';
import type { NeighbourUpkeep } from './neighbour-upkeep.js';
import type { VectorExtension } from './vector-extension.js';
import type { VectorSource, VectorTable } from './vector-tables.js';

export interface SqliteVectorIndexOptions {
  readonly table: VectorTable;
  /** Of the vectors. */
  readonly dimensions: number;
  readonly extension: VectorExtension;
  /** Of the index that finds neighbours; without one, all vectors are compared. */
  readonly neighbours?: NeighbourUpkeep;
  readonly clock: Clock;
}

/**
 * The vectors of one kind of one project, in SQLite, compared by sqlite-vec. Where sqlite-vec cannot
 * be loaded, vectors are stored as ever and no chunk has a similarity.
 */
export class SqliteVectorIndex implements VectorIndex {
  readonly #database: ProjectDatabase;
  readonly #options: SqliteVectorIndexOptions;

  constructor(database: ProjectDatabase, options: SqliteVectorIndexOptions) {
    this.#database = database;
    this.#options = options;
  }

  async put(entries: readonly VectorEntry[]): Promise<number> {
    const { table, dimensions, clock, neighbours } = this.#options;
    const storable = entries.filter(({ vector }) => isStorable(vector, dimensions));
    if (storable.length === 0) return 0;
    return this.#database.writeMuch((db) => {
      let stored = 0;
      for (const entry of storable) {
        if (!this.#isPending(db, entry)) continue;
        table.save(db, { id: entry.chunkId, blob: toBlob(entry.vector) }, clock.now());
        stored += 1;
      }
      neighbours?.afterWrite(db);
      return stored;
    });
  }

  vectorsOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Vector>> {
    const { table, dimensions } = this.#options;
    return this.#database.read((db) => {
      const source = table.source(db);
      const rows = source === undefined ? [] : blobsOf(db, source, chunkIds);
      return new Map(
        rows.flatMap(({ id, blob }) => {
          const vector = toVector(blob, dimensions);
          return vector === undefined ? [] : [[id, vector] as const];
        }),
      );
    });
  }

  async similarities(
    query: Vector,
    chunkIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const similarities = await this.#comparing(query, (comparison) =>
      similaritiesOf(comparison, chunkIds),
    );
    return similarities ?? new Map();
  }

  async nearest(query: Vector, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]> {
    const request = { filter, limit };
    const nearest = await this.#comparing(
      query,
      (comparison) =>
        nearestOfFew(comparison, request) ??
        this.#nearestByIndex(comparison, query, request) ??
        nearestOfAll(comparison, request),
    );
    if (nearest !== undefined) void this.#options.neighbours?.catchUp();
    return nearest ?? [];
  }

  async cosineStatistics(query: Vector): Promise<CosineStatistics> {
    const statistics = await this.#comparing(query, cosineStatisticsOf);
    return statistics ?? { mean: 0, deviation: 0 };
  }

  pending(limit: number): Promise<readonly PendingVector[]> {
    return this.#database.read((db) => this.#options.table.pending(db, limit));
  }

  status(): Promise<VectorStatus> {
    return this.#database.read((db) => {
      const chunks = db.prepare<[], number>('SELECT count(*) FROM chunks').pluck().get() as number;
      const complete = this.#options.table.countVectors(db);
      return { complete, pending: chunks - complete };
    });
  }

  comparisonProblem(): Promise<string | undefined> {
    return this.#database.read((db) => this.#options.extension.problemOn(db));
  }

  #nearestByIndex(comparison: Comparison, query: Vector, request: NearestRequest) {
    const codes = quantized(query);
    const index = this.#options.neighbours?.index;
    return codes && index && nearestByIndex(comparison, request, { index, codes });
  }

  /** On one snapshot of the database; undefined where there is nothing that can be compared. */
  async #comparing<T>(vector: Vector, work: (comparison: Comparison) => T): Promise<T | undefined> {
    const { table, dimensions, extension } = this.#options;
    const direction = vector.length === dimensions ? normalized(vector) : undefined;
    if (direction === undefined) return undefined;
    return this.#database.read((db) => {
      if (!extension.isLoadedInto(db)) return undefined;
      return onSnapshot(db, () => {
        const source = table.source(db);
        return source && work({ db, source, dimensions, query: direction });
      });
    });
  }

  /** Whether a chunk still has these texts, and no vector yet. */
  #isPending(db: Database, { chunkId, texts }: VectorEntry): boolean {
    const { table } = this.#options;
    const current = table.textsOf(db, chunkId);
    return JSON.stringify(current) === JSON.stringify(texts) && !table.has(db, chunkId);
  }
}

function blobsOf(
  db: Database,
  { table, id, blob, condition, model }: VectorSource,
  chunkIds: readonly string[],
) {
  return prepared<unknown[], { readonly id: string; readonly blob: unknown }>(
    db,
    `SELECT ${id} AS id, ${blob} AS blob
     FROM json_each(@ids) j CROSS JOIN ${table} e ON ${id} = j.value WHERE ${condition}`,
  ).all({ ids: JSON.stringify(chunkIds), model });
}
