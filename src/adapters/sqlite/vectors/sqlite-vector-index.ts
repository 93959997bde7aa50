import type { Database } from 'better-sqlite3';
import {
  type CosineStatistics,
  isStorable,
  normalized,
  type Vector,
} from '../../../domain/ranking/vector.js';
import type { VectorStatus } from '../../../domain/stats.js';
import type { Clock } from '../../../ports/clock.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import type {
  Neighbour,
  PendingVector,
  VectorEntry,
  VectorIndex,
} from '../../../ports/vector-index.js';
import { textRows, textsOf } from '../chunks/embedded-texts.js';
import { onSnapshot, prepared } from '../database/prepared.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { type Comparison, cosineStatisticsOf, nearestOf, similaritiesOf } from './comparison.js';
import { isVector, toVector } from './encodings.js';
import type { VectorExtension } from './vector-extension.js';
import type { VectorKind, VectorSource } from './vector-kinds.js';

export interface SqliteVectorIndexOptions {
  readonly kind: VectorKind;
  readonly model: string;
  /** Of the vectors of that model. */
  readonly dimensions: number;
  readonly extension: VectorExtension;
  readonly clock: Clock;
}

/**
 * The vectors of one kind of one project, in SQLite, compared by sqlite-vec. Where sqlite-vec cannot
 * be loaded, vectors are stored as ever and no chunk has a similarity.
 */
export class SqliteVectorIndex implements VectorIndex {
  readonly #database: SqliteDatabase;
  readonly #options: SqliteVectorIndexOptions;

  constructor(database: SqliteDatabase, options: SqliteVectorIndexOptions) {
    this.#database = database;
    this.#options = options;
  }

  async put(entries: readonly VectorEntry[]): Promise<number> {
    const { kind, model, dimensions, clock } = this.#options;
    const storable = entries.filter(({ vector }) => isStorable(vector, dimensions));
    if (storable.length === 0) return 0;
    return this.#database.write((db) => {
      const at = clock.now().toISOString();
      const pending = storable.filter((entry) => this.#isPending(db, entry));
      for (const { chunkId, vector } of pending) {
        kind.save(db, { id: chunkId, vector, model, at });
      }
      return pending.length;
    });
  }

  vectorsOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Vector>> {
    const { kind, model, dimensions } = this.#options;
    return this.#database.read((db) => {
      const { table, id, blob, condition } = kind.source(db, model);
      const rows = prepared<unknown[], { readonly id: string; readonly blob: unknown }>(
        db,
        `SELECT ${id} AS id, ${blob} AS blob
         FROM json_each(@ids) j CROSS JOIN ${table} e ON ${id} = j.value WHERE ${condition}`,
      ).all({ ids: JSON.stringify(chunkIds), model });
      return new Map(
        rows.flatMap((row) => {
          const vector = toVector(row.blob, dimensions);
          return vector === undefined ? [] : [[row.id, vector] as const];
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
    const nearest = await this.#comparing(query, (comparison) =>
      nearestOf(comparison, filter, limit),
    );
    return nearest ?? [];
  }

  async cosineStatistics(query: Vector): Promise<CosineStatistics> {
    const statistics = await this.#comparing(query, cosineStatisticsOf);
    return statistics ?? { mean: 0, deviation: 0 };
  }

  pending(limit: number): Promise<readonly PendingVector[]> {
    const { kind, model, dimensions } = this.#options;
    return this.#database.read((db) => {
      const source = kind.source(db, model);
      return textRows<{ readonly hasOther: 0 | 1 }>(db, kind.texts, {
        columns: `${source.hasOther} AS hasOther`,
        rest: `AND NOT ${hasVector(source, dimensions)}
          ORDER BY c.last_retrieved_at DESC, c.created_at DESC, c.rowid DESC LIMIT @limit`,
        values: { model, limit },
      }).map((row) => ({
        ...textsOf(kind.texts, row),
        ...(row.hasOther === 1 && { hasOtherModel: true }),
      }));
    });
  }

  status(): Promise<VectorStatus> {
    const { kind, model, dimensions } = this.#options;
    return this.#database.read((db) => {
      const source = kind.source(db, model);
      const count = (sql: string) =>
        prepared<unknown[], number>(db, sql).pluck().get({ model }) as number;
      const complete = count(
        `SELECT count(*) FROM ${rowsWithVector(source, dimensions)} AND EXISTS (SELECT 1 FROM chunks c WHERE c.id = ${source.id})`,
      );
      return { complete, pending: count('SELECT count(*) FROM chunks') - complete };
    });
  }

  /** On one snapshot of the database; undefined where nothing can be compared. */
  async #comparing<T>(vector: Vector, work: (comparison: Comparison) => T): Promise<T | undefined> {
    const { kind, model, dimensions, extension } = this.#options;
    const query = vector.length === dimensions ? normalized(vector) : undefined;
    if (query === undefined) return undefined;
    return this.#database.read((db) => {
      if (!extension.isLoadedInto(db)) return undefined;
      return onSnapshot(db, () => work({ db, source: kind.source(db, model), model, query }));
    });
  }

  /** Whether a chunk still has these texts, and no vector yet. */
  #isPending(db: Database, { chunkId, texts }: VectorEntry): boolean {
    const { kind, model, dimensions } = this.#options;
    const [row] = textRows(db, kind.texts, {
      rest: `AND c.id = @chunkId AND NOT ${hasVector(kind.source(db, model), dimensions)}`,
      values: { model, chunkId },
    });
    if (row === undefined) return false;
    return JSON.stringify(textsOf(kind.texts, row).texts) === JSON.stringify(texts);
  }
}

/** Whether a chunk `c` has a vector. */
function hasVector(source: VectorSource, dimensions: number): string {
  return `EXISTS (SELECT 1 FROM ${rowsWithVector(source, dimensions)} AND ${source.id} = c.id)`;
}

/** The rows that hold a vector, as what follows FROM. */
function rowsWithVector({ table, blob, condition }: VectorSource, dimensions: number): string {
  return `${table} e WHERE ${condition} AND ${isVector(blob, dimensions)}`;
}
