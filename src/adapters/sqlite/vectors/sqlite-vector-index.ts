import type { Database } from 'better-sqlite3';
import {
  isStorable,
  nearestFirst,
  normalize,
  type Vector,
} from '../../../domain/ranking/vector.js';
import type { Clock } from '../../../ports/clock.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import type {
  Compared,
  ComparisonStatus,
  DerivedEntries,
  DerivedFrom,
  Neighbour,
  PendingText,
  VectorIndex,
  VectorModel,
} from '../../../ports/vector-index.js';
import { toVector } from '../database/encodings.js';
import { ALL_ROWS, inRowParts } from '../database/row-parts.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { onSnapshot, prepareOnce } from '../database/statements.js';
import { type Comparison, readSimilarities, sampledCosines, selectNearest } from './comparison.js';
import {
  KINDS,
  rowsWithVector,
  type TextRow,
  vectorSource,
  WAITS_FOR_HEADER,
} from './derived-kinds.js';
import type { VectorExtension } from './vector-extension.js';

export interface SqliteVectorIndexOptions extends VectorModel {
  readonly extension: VectorExtension;
  readonly clock: Clock;
}

/**
 * The vectors of one project in SQLite, compared by sqlite-vec. If sqlite-vec cannot be loaded, vectors are stored as
 * usual, but searches find no similarities.
 */
export class SqliteVectorIndex implements VectorIndex {
  readonly #database: SqliteDatabase;
  readonly #options: SqliteVectorIndexOptions;

  constructor(database: SqliteDatabase, options: SqliteVectorIndexOptions) {
    this.#database = database;
    this.#options = options;
  }

  async pending(kind: keyof DerivedEntries, limit: number): Promise<readonly PendingText[]> {
    const { pending, order, textsOf } = KINDS[kind];
    const { model } = this.#options;
    const rows = await this.#pendingRows(kind, limit);
    return this.#database.read((db) =>
      prepareOnce<unknown[], TextRow>(
        db,
        `SELECT ${pending(db, this.#options)} AND ${rows === undefined ? 'true' : LISTED_ROWS}
         ORDER BY ${order} LIMIT @limit`,
      )
        .all({ model, limit, ...(rows && { rows: JSON.stringify(rows) }) })
        .map((row) => ({
          id: row.id,
          texts: textsOf(row),
          ...(row.hasOther === 1 && { hasOtherModel: true }),
        })),
    );
  }

  /** The first pending rows of each part of a large table; undefined if the table is small enough for one statement. */
  async #pendingRows(
    kind: keyof DerivedEntries,
    limit: number,
  ): Promise<readonly number[] | undefined> {
    const { pending, order } = KINDS[kind];
    const { model } = this.#options;
    const table = kind === 'headers' ? 'store_names' : 'chunks';
    const parts = await inRowParts(this.#database, table, (db, part) => {
      if (part === ALL_ROWS) return undefined;
      const from = `SELECT c.rowid AS row, ${pending(db, this.#options)} AND ${part.condition('c')}`;
      const sql = `SELECT row FROM (${from} ORDER BY ${order} LIMIT @limit)`;
      return prepareOnce<unknown[], number>(db, sql)
        .pluck()
        .all({ model, limit, ...part.parameters });
    });
    return parts.some((rows) => rows === undefined)
      ? undefined
      : parts.flatMap((rows) => rows ?? []);
  }

  async put<Kind extends keyof DerivedEntries>(
    kind: Kind,
    entries: readonly DerivedEntries[Kind][],
  ): Promise<number> {
    const { model, dimensions, clock } = this.#options;
    const storable = entries.filter(
      (entry) => !('vector' in entry) || isStorable(entry.vector, dimensions),
    );
    if (storable.length === 0) return 0;
    return this.#database.write((db) => {
      const context = { model, dimensions, now: clock.now().toISOString() };
      const pending = storable.filter((entry) => this.#isPending(db, kind, entry));
      for (const entry of pending) KINDS[kind].save(db, entry, context);
      return pending.length;
    });
  }

  async status(kind: Compared, withoutHeader: readonly string[] = []): Promise<ComparisonStatus> {
    const { model, dimensions, extension } = this.#options;
    const table = kind === 'questions' ? 'chunks' : 'embeddings';
    const unless = kind === 'content' ? `AND NOT ${WAITS_FOR_HEADER}` : '';
    const others = JSON.stringify(withoutHeader);
    const parts = await inRowParts(this.#database, table, (db, part) => {
      const source = vectorSource(db, kind, model);
      const sql = `SELECT count(*) FROM ${rowsWithVector(source, dimensions)} AND ${part.condition('e')}
        AND EXISTS (SELECT 1 FROM chunks c WHERE c.id = ${source.id} ${unless})`;
      return (
        prepareOnce<unknown[], number>(db, sql)
          .pluck()
          .get({ model, others, ...part.parameters }) ?? 0
      );
    });
    const complete = parts.reduce((sum, count) => sum + count, 0);
    return this.#database.read((db) => {
      const problem = extension.problemOn(db);
      const chunks = prepareOnce<[], number>(db, 'SELECT count(*) FROM chunks').pluck().get() ?? 0;
      return {
        complete,
        pending: Math.max(0, chunks - complete),
        ...(problem !== undefined && { problem }),
      };
    });
  }

  async similarities(
    kind: Compared,
    query: Vector,
    of: readonly string[] | 'sample',
  ): Promise<ReadonlyMap<string, number>> {
    const similarities = await this.#database.read((db) =>
      this.#comparing(db, { kind, to: query }, (comparison) =>
        of === 'sample' ? sampledCosines(comparison) : readSimilarities(comparison, of),
      ),
    );
    return similarities ?? new Map();
  }

  async nearest(
    to: Vector | string,
    filter: ChunkFilter,
    limit: number,
  ): Promise<readonly Neighbour[]> {
    const parts = await inRowParts(this.#database, 'chunks', (db, part) =>
      this.#comparing(db, { kind: 'content', to }, (comparison) =>
        selectNearest(comparison, { filter, part }, limit),
      ),
    );
    return parts
      .flatMap((neighbours) => neighbours ?? [])
      .toSorted(nearestFirst)
      .slice(0, limit);
  }

  /** Runs a comparison on one snapshot of the database; undefined if nothing can be compared. */
  #comparing<T>(
    db: Database,
    { kind, to }: { readonly kind: Compared; readonly to: Vector | string },
    work: (comparison: Comparison) => T,
  ): T | undefined {
    const { model, dimensions, extension } = this.#options;
    if (extension.problemOn(db) !== undefined) return undefined;
    return onSnapshot(db, () => {
      const vector = typeof to === 'string' ? this.#readVector(db, to) : to;
      const query = vector?.length === dimensions ? normalize(vector) : undefined;
      if (query === undefined) return undefined;
      return work({ db, source: vectorSource(db, kind, model), model, query });
    });
  }

  #readVector(db: Database, id: string): Vector | undefined {
    const { model, dimensions } = this.#options;
    const find = 'SELECT embedding FROM embeddings WHERE chunk_id = ? AND model = ?';
    return toVector(prepareOnce(db, find).pluck().get(id, model), dimensions);
  }

  /** Whether a text is unchanged, and nothing has been derived from it yet. */
  #isPending(db: Database, kind: keyof DerivedEntries, { id, texts }: DerivedFrom): boolean {
    const { pending, id: key, textsOf } = KINDS[kind];
    const { model } = this.#options;
    const sql = `SELECT ${pending(db, this.#options)} AND ${key} = @id`;
    const row = prepareOnce<unknown[], TextRow>(db, sql).get({ model, id });
    return row !== undefined && JSON.stringify(textsOf(row)) === JSON.stringify(texts);
  }
}

const LISTED_ROWS = 'c.rowid IN (SELECT value FROM json_each(@rows))';
