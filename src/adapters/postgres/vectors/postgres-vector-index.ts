import {
  type CosineStatistics,
  isStorable,
  normalized,
  type Vector,
} from '../../../domain/ranking/vector.js';
import type { VectorStatus } from '../../../domain/stats.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import type {
  Neighbour,
  PendingVector,
  VectorEntry,
  VectorIndex,
} from '../../../ports/vector-index.js';
import { CONTENT_TEXTS, selectTexts, type TextKind } from '../chunks/embedded-texts.js';
import type { ProjectContext } from '../database/project-context.js';
import type { Session } from '../database/session.js';
import {
  cosineStatisticsOf,
  cosineTo,
  findNearest,
  fromVectorBytes,
  ofModel,
  toVectorText,
  type VectorModel,
} from './vector-search.js';

interface VectorIndexOptions extends VectorModel {
  readonly kind: TextKind;
}

/** The vectors of one kind of one project, compared by pgvector. */
export class PostgresVectorIndex implements VectorIndex {
  readonly #project: ProjectContext;
  readonly #options: VectorIndexOptions;
  readonly #table: string;

  constructor(project: ProjectContext, options: VectorIndexOptions) {
    this.#project = project;
    this.#options = options;
    this.#table = `${project.schema}.${options.kind.vectors}`;
  }

  async put(entries: readonly VectorEntry[]): Promise<number> {
    const { dimensions, model } = this.#options;
    const storable = entries.filter(({ vector }) => isStorable(vector, dimensions));
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
        `INSERT INTO ${this.#table} AS v (chunk_no, model, vector, compared)
         SELECT n.no, $3, n.vector::vector, ${this.#comparedVector()}
         FROM unnest($1::bigint[], $2::text[]) AS n(no, vector)
         ON CONFLICT (chunk_no) DO UPDATE SET model = excluded.model, vector = excluded.vector,
           compared = excluded.compared
         WHERE NOT (${ofModel(this.#options)}) RETURNING 1`,
        [[...current.keys()], [...current.values()], model],
      );
      return stored.length;
    });
  }

  async vectorsOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Vector>> {
    const rows = await this.#ofChunks<Buffer>('vector_send(v.vector)', [chunkIds]);
    return new Map(rows.map(({ id, value }) => [id, fromVectorBytes(value)]));
  }

  async similarities(
    query: Vector,
    chunkIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const direction = this.#directionOf(query);
    if (direction === undefined || chunkIds.length === 0) return new Map();
    const values = [chunkIds, toVectorText(direction)];
    const rows = await this.#ofChunks<number>(cosineTo('$2'), values);
    return new Map(rows.map(({ id, value }) => [id, value]));
  }

  async nearest(query: Vector, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]> {
    const direction = this.#directionOf(query);
    if (direction === undefined) return [];
    const { database, schema } = this.#project;
    const place = { schema, table: this.#table };
    const search = { ...this.#options, ...place, query: direction, filter, limit };
    return database.read((session) => findNearest(session, search));
  }

  async cosineStatistics(query: Vector): Promise<CosineStatistics> {
    const direction = this.#directionOf(query);
    if (direction === undefined) return { mean: 0, deviation: 0 };
    const request = { ...this.#options, table: this.#table, query: direction };
    return this.#project.database.read((session) => cosineStatisticsOf(session, request));
  }

  async pending(limit: number): Promise<readonly PendingVector[]> {
    const { kind } = this.#options;
    const { database, schema } = this.#project;
    const rest = `LEFT JOIN ${this.#table} v ON v.chunk_no = c.no
      LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no
      WHERE (${ofModel(this.#options)}) IS NOT TRUE
      ORDER BY r.last_retrieved_at DESC NULLS LAST, c.created_at DESC, c.no DESC LIMIT $1`;
    const selection = { kind, also: 'v.model', rest, values: [limit] };
    const found = await database.read((session) => selectTexts(session, schema, selection));
    return found.map(({ chunkId, texts, also: model }) => ({
      chunkId,
      texts,
      ...(model !== null && model !== this.#options.model && { hasOtherModel: true as const }),
    }));
  }

  async status(): Promise<VectorStatus> {
    const { schema, database } = this.#project;
    const [row] = await database.rows<VectorStatus>(
      `SELECT complete, chunks - complete AS pending FROM
         (SELECT count(*) AS chunks FROM ${schema}.chunks) c,
         (SELECT count(*) AS complete FROM ${this.#table} v WHERE ${ofModel(this.#options)}) v`,
    );
    return row ?? { complete: 0, pending: 0 };
  }

  /** The sum of a content vector and its weighed header, if it has one. */
  #comparedVector(): string {
    const { schema } = this.#project;
    if (this.#options.kind !== CONTENT_TEXTS) return 'NULL';
    return `(SELECT n.vector::vector + h.vector FROM ${schema}.chunks c
      JOIN ${schema}.names h ON h.source_file = c.source_file AND h.model = $3 WHERE c.no = n.no)`;
  }

  /** A value of each of the vectors of some chunks, whose ids are the first parameter. */
  #ofChunks<Value>(value: string, values: readonly unknown[]) {
    return this.#project.database.rows<{ readonly id: string; readonly value: Value }>(
      `SELECT c.id, ${value} AS value
       FROM ${this.#project.schema}.chunks c JOIN ${this.#table} v ON v.chunk_no = c.no
       WHERE c.id = ANY($1) AND ${ofModel(this.#options)}`,
      values,
    );
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
