import type { CosineStatistics } from '../../../domain/ranking/vector.js';
import { isStorable, normalized, type Vector } from '../../../domain/ranking/vector.js';
import type { VectorStatus } from '../../../domain/stats.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type {
  Neighbour,
  PendingVector,
  VectorEntry,
  VectorIndex,
} from '../../../ports/driven/vector-index.js';
import {
  NEWEST_FIRST,
  pageOfTexts,
  selectTexts,
  type TextKind,
} from '../chunks/postgres-embeddable-texts.js';
import type { ProjectContext } from '../database/project-database.js';
import type { Session } from '../database/session.js';
import type { OptionalIndexes } from '../indexes/optional-indexes.js';
import {
  cosineStatisticsOf,
  findNearest,
  fromVectorBytes,
  toVectorText,
  type VectorModel,
} from './vector-search.js';

export interface VectorIndexOptions extends VectorModel {
  readonly kind: TextKind;
  readonly indexes: OptionalIndexes;
}

/** The vectors of one kind of one project, compared by pgvector. */
export class PostgresVectorIndex implements VectorIndex {
  readonly #project: ProjectContext;
  readonly #options: VectorIndexOptions;

  constructor(project: ProjectContext, options: VectorIndexOptions) {
    this.#project = project;
    this.#options = options;
  }

  async put(entries: readonly VectorEntry[]): Promise<number> {
    const storable = entries.filter(({ vector }) => isStorable(vector, this.#options.dimensions));
    if (storable.length === 0) return 0;
    return this.#project.database.transaction(async (session) => {
      const numbers = await this.#numbersOf(session, storable);
      const current = new Map(
        storable.flatMap(({ chunkId, texts, vector }) => {
          const no = numbers.get(keyOf(chunkId, texts));
          const unit = normalized(vector);
          return no === undefined || unit === undefined ? [] : [[no, toVectorText(unit)]];
        }),
      );
      const stored = await session.query(
        `INSERT INTO ${this.#table} AS v (chunk_no, model, vector)
         SELECT n.no, $3, n.vector::vector FROM unnest($1::bigint[], $2::text[]) AS n(no, vector)
         ON CONFLICT (chunk_no) DO UPDATE SET model = excluded.model, vector = excluded.vector
         WHERE v.model <> excluded.model OR vector_dims(v.vector) <> $4
         RETURNING 1`,
        [[...current.keys()], [...current.values()], this.#options.model, this.#options.dimensions],
      );
      return stored.length;
    });
  }

  async vectorsOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Vector>> {
    const { model, dimensions } = this.#options;
    const rows = await this.#project.database.rows<{ readonly id: string; readonly bytes: Buffer }>(
      `SELECT c.id, vector_send(v.vector) AS bytes
         FROM ${this.#project.schema}.chunks c JOIN ${this.#table} v ON v.chunk_no = c.no
         WHERE c.id = ANY($1) AND v.model = $2 AND vector_dims(v.vector) = $3`,
      [chunkIds, model, dimensions],
    );
    return new Map(rows.map(({ id, bytes }) => [id, fromVectorBytes(bytes)]));
  }

  async similarities(
    query: Vector,
    chunkIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const direction = this.#directionOf(query);
    if (direction === undefined || chunkIds.length === 0) return new Map();
    const rows = await this.#project.database.rows<{
      readonly id: string;
      readonly cosine: number;
    }>(
      `SELECT c.id, 1 - (v.vector <=> $1::vector) AS cosine
         FROM ${this.#project.schema}.chunks c JOIN ${this.#table} v ON v.chunk_no = c.no
         WHERE c.id = ANY($2) AND v.model = $3 AND vector_dims(v.vector) = $4`,
      [toVectorText(direction), chunkIds, this.#options.model, this.#options.dimensions],
    );
    return new Map(rows.map(({ id, cosine }) => [id, cosine]));
  }

  async nearest(query: Vector, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]> {
    const direction = this.#directionOf(query);
    if (direction === undefined) return [];
    const { model, dimensions, indexes } = this.#options;
    const search = { query: direction, filter, limit, model, dimensions, table: this.#table };
    return findNearest(this.#project, indexes, search);
  }

  async cosineStatistics(query: Vector): Promise<CosineStatistics> {
    const direction = this.#directionOf(query);
    if (direction === undefined) return { mean: 0, deviation: 0 };
    const { model, dimensions, indexes } = this.#options;
    const chunks = await indexes.chunks();
    return this.#project.database.read((session) =>
      cosineStatisticsOf(session, {
        table: this.#table,
        model,
        dimensions,
        query: direction,
        chunks,
      }),
    );
  }

  async pending(limit: number): Promise<readonly PendingVector[]> {
    const { kind, model, dimensions } = this.#options;
    const rest = `WHERE NOT EXISTS (SELECT 1 FROM ${this.#table} v WHERE v.chunk_no = c.no
      AND v.model = $1 AND vector_dims(v.vector) = $2) ${NEWEST_FIRST} LIMIT $3`;
    const texts = await pageOfTexts(this.#project, {
      kind,
      rest,
      values: [model, dimensions, limit],
    });
    const { database, schema } = this.#project;
    const rows = await database.rows<{ readonly id: string }>(
      `SELECT c.id FROM ${this.#table} v JOIN ${schema}.chunks c ON c.no = v.chunk_no
       WHERE c.id = ANY($1) AND v.model <> $2`,
      [texts.map(({ chunkId }) => chunkId), model],
    );
    const others = new Set(rows.map(({ id }) => id));
    return texts.map((text) =>
      others.has(text.chunkId) ? { ...text, hasOtherModel: true } : text,
    );
  }

  async status(): Promise<VectorStatus> {
    const { schema, database } = this.#project;
    const [row] = await database.rows<VectorStatus>(
      `SELECT complete, chunks - complete AS pending FROM
           (SELECT count(*) AS chunks FROM ${schema}.chunks) c,
           (SELECT count(*) AS complete FROM ${this.#table} v
            WHERE v.model = $1 AND vector_dims(v.vector) = $2) v`,
      [this.#options.model, this.#options.dimensions],
    );
    return row ?? { complete: 0, pending: 0 };
  }

  /** A server without pgvector is refused when a store is opened. */
  async comparisonProblem(): Promise<undefined> {}

  get #table(): string {
    return `${this.#project.schema}.${this.#options.kind.vectors}`;
  }

  #directionOf(query: Vector): Vector | undefined {
    return query.length === this.#options.dimensions ? normalized(query) : undefined;
  }

  /** The numbers of the chunks with their present texts, which stay as they are until the commit. */
  async #numbersOf(
    session: Session,
    entries: readonly VectorEntry[],
  ): Promise<ReadonlyMap<string, number>> {
    const texts = await selectTexts(session, this.#project.schema, {
      kind: this.#options.kind,
      rest: 'WHERE c.id = ANY($1) ORDER BY c.no FOR KEY SHARE OF c',
      values: [entries.map(({ chunkId }) => chunkId)],
    });
    return new Map(texts.map((text) => [keyOf(text.chunkId, text.texts), text.no]));
  }
}

function keyOf(chunkId: string, texts: readonly string[]): string {
  return JSON.stringify([chunkId, texts]);
}
