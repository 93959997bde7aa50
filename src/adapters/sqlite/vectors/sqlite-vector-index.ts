import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { CosineStatistics } from '../../../domain/ranking/blending.js';
import { cosineSimilarity, isStorable, type Vector } from '../../../domain/ranking/vector.js';
import type { VectorStatus } from '../../../domain/stats.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type {
  Neighbour,
  PendingVector,
  VectorEntry,
  VectorIndex,
} from '../../../ports/driven/vector-index.js';
import { chunkCondition } from '../chunks/chunk-condition.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { toBlob, toVector } from './vector-blob.js';
import { VectorMatrix } from './vector-matrix.js';
import type { VectorTable } from './vector-tables.js';

export interface VectorIndexOptions {
  readonly clock: Clock;
  /** Values of a vector; those of another size do not count. */
  readonly dimensions: number;
}

/** The vectors of one kind of one project: kept in SQLite, and as codes in memory once neighbours are asked for. */
export class SqliteVectorIndex implements VectorIndex {
  readonly #database: ProjectDatabase;
  readonly #table: VectorTable;
  readonly #options: VectorIndexOptions;
  #matrix: Promise<VectorMatrix> | undefined;

  constructor(database: ProjectDatabase, table: VectorTable, options: VectorIndexOptions) {
    this.#database = database;
    this.#table = table;
    this.#options = options;
  }

  async put(entries: readonly VectorEntry[]): Promise<number> {
    const { clock, dimensions } = this.#options;
    const storable = entries.filter(({ vector }) => isStorable(vector, dimensions));
    if (storable.length === 0) return 0;
    return this.#database.write((db) => {
      const current = storable.filter((entry) => this.#isCurrent(db, entry));
      for (const { chunkId, vector } of current) {
        this.#table.save(db, { id: chunkId, blob: toBlob(vector) }, clock.now());
      }
      return current.length;
    });
  }

  similarities(query: Vector, chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#database.read(
      (db) =>
        new Map(
          [...this.#table.vectorsOf(db, chunkIds)].flatMap(({ id, blob }) => {
            const vector = toVector(blob, this.#options.dimensions);
            return vector === undefined ? [] : [[id, cosineSimilarity(query, vector)]];
          }),
        ),
    );
  }

  nearest(query: Vector, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]> {
    return this.#withMatrix((matrix, db) => {
      const allowed = allowedIds(db, filter);
      const isAllowed = (id: string) => allowed === undefined || allowed.has(id);
      return matrix.nearest(db, query, { isAllowed, limit });
    });
  }

  cosineStatistics(query: Vector): Promise<CosineStatistics> {
    return this.#withMatrix((matrix) => matrix.cosineStatistics(query));
  }

  pending(limit: number): Promise<readonly PendingVector[]> {
    return this.#database.read((db) => this.#table.pending(db, limit));
  }

  status(): Promise<VectorStatus> {
    return this.#database.read((db) => {
      const chunks = db.prepare<[], number>('SELECT count(*) FROM chunks').pluck().get() as number;
      const complete = this.#table.countVectors(db);
      return { complete, pending: chunks - complete };
    });
  }

  /** Loads the matrix page by page, so that the event loop goes on meanwhile. */
  async #withMatrix<T>(work: (matrix: VectorMatrix, db: Database) => T): Promise<T> {
    this.#matrix ??= VectorMatrix.over(this.#table, this.#options.dimensions);
    const matrix = await this.#matrix;
    for (;;) {
      const answer = await this.#database.read((db) =>
        matrix.advance(db, VECTORS_A_PAGE) ? { value: work(matrix, db) } : undefined,
      );
      if (answer !== undefined) return answer.value;
      await setImmediate();
    }
  }

  #isCurrent(db: Database, { chunkId, texts }: VectorEntry): boolean {
    const current = this.#table.textsOf(db, chunkId);
    return JSON.stringify(current) === JSON.stringify(texts);
  }
}

/** About 25 ms. */
const VECTORS_A_PAGE = 2000;

function allowedIds(db: Database, filter: ChunkFilter): ReadonlySet<string> | undefined {
  const condition = chunkCondition(filter);
  if (condition === undefined) return undefined;
  const ids = db
    .prepare<unknown[], string>(`SELECT c.id FROM chunks c WHERE ${condition.sql}`)
    .pluck()
    .all(...condition.parameters);
  return new Set(ids);
}
