import { isStorable, normalize, type Vector } from '../../../domain/ranking/vector.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import type {
  Compared,
  ComparisonStatus,
  DerivedEntries,
  Neighbour,
  PendingText,
  VectorIndex,
  VectorModel,
} from '../../../ports/vector-index.js';
import type { ProjectContext } from '../database/postgres-database.js';
import {
  type DerivedRow,
  KINDS,
  textKey,
  VECTOR_TABLES,
  waitingForHeader,
} from './derived-kinds.js';
import {
  type CosineRequest,
  cosinesTo,
  findNearest,
  fromVectorBytes,
  ofModel,
  sampledCosines,
} from './vector-search.js';

/** The vectors of one project, compared by pgvector. */
export class PostgresVectorIndex implements VectorIndex {
  readonly #project: ProjectContext;
  readonly #model: VectorModel;

  constructor(project: ProjectContext, model: VectorModel) {
    this.#project = project;
    this.#model = model;
  }

  async pending(kind: keyof DerivedEntries, limit: number): Promise<readonly PendingText[]> {
    const { pending, first, order, textsOf } = KINDS[kind];
    const rows = await this.#project.database.slowRows<DerivedRow>(
      first?.(this.#place) ?? `${pending(this.#place)} ORDER BY ${order} LIMIT $1`,
      [limit],
    );
    return rows.map((row) => ({
      id: row.id,
      texts: textsOf(row),
      ...((row.model ?? this.#model.model) !== this.#model.model && { hasOtherModel: true }),
    }));
  }

  async put<Kind extends keyof DerivedEntries>(
    kind: Kind,
    entries: readonly DerivedEntries[Kind][],
  ): Promise<number> {
    const { pending, id, order, lock, textsOf, save } = KINDS[kind];
    const storable = entries.filter(
      (entry) => !('vector' in entry) || isStorable(entry.vector, this.#model.dimensions),
    );
    if (storable.length === 0) return 0;
    return this.#project.database.transaction(async (session) => {
      const rows = await session.query<DerivedRow>(
        `${pending(this.#place)} AND ${id} = ANY($1) ORDER BY ${order} ${lock}`,
        [storable.map((entry) => entry.id)],
      );
      const given = new Map(storable.map((entry) => [textKey(entry), entry]));
      const waiting = rows.flatMap((row) => {
        const entry = given.get(textKey({ id: row.id, texts: textsOf(row) }));
        return entry === undefined ? [] : [{ ...entry, no: row.no }];
      });
      return save(session, this.#place, waiting);
    });
  }

  async status(kind: Compared, withoutHeader: readonly string[] = []): Promise<ComparisonStatus> {
    const { schema, database } = this.#project;
    const waiting =
      kind === 'content'
        ? waitingForHeader(this.#place)
        : 'SELECT NULL::bigint AS no WHERE $1::text[] IS NULL';
    const [row] = await database.rows<ComparisonStatus>(
      `WITH waiting AS MATERIALIZED (${waiting})
       SELECT complete, chunks - complete AS pending FROM
         (SELECT count(*) AS chunks FROM ${schema}.chunks) c,
         (SELECT count(*) AS complete FROM ${this.#vectorTable(kind)} v WHERE ${ofModel(this.#model)}
          AND NOT EXISTS (SELECT 1 FROM waiting w WHERE w.no = v.chunk_no)) v`,
      [withoutHeader],
    );
    return row ?? { complete: 0, pending: 0 };
  }

  async similarities(
    kind: Compared,
    query: Vector,
    of: readonly string[] | 'sample',
  ): Promise<ReadonlyMap<string, number>> {
    const request = this.#requestFor(kind, query);
    if (request === undefined || of.length === 0) return new Map();
    return this.#project.database.read((session) =>
      of === 'sample'
        ? sampledCosines(session, request)
        : cosinesTo(session, request, { condition: 'c.id = ANY($2)', values: [of] }),
    );
  }

  async nearest(
    to: Vector | string,
    filter: ChunkFilter,
    limit: number,
  ): Promise<readonly Neighbour[]> {
    const vector = typeof to === 'string' ? await this.#readVector(to) : to;
    const request = vector && this.#requestFor('content', vector);
    if (request === undefined) return [];
    const search = { ...request, filter, limit };
    return this.#project.database.read((session) => findNearest(session, search));
  }

  get #place() {
    return { ...this.#model, schema: this.#project.schema };
  }

  #vectorTable(compared: Compared): string {
    const kind = compared === 'stored' ? 'content' : compared;
    return `${this.#project.schema}.${VECTOR_TABLES[kind]}`;
  }

  /** Undefined if the vector has other dimensions, or cannot be normalized. */
  #requestFor(compared: Compared, vector: Vector): CosineRequest | undefined {
    const query = vector.length === this.#model.dimensions ? normalize(vector) : undefined;
    return query && { ...this.#place, table: this.#vectorTable(compared), query, compared };
  }

  async #readVector(id: string): Promise<Vector | undefined> {
    const { schema, database } = this.#project;
    const [row] = await database.rows<{ readonly bytes: Buffer }>(
      `SELECT vector_send(v.vector) AS bytes FROM ${schema}.chunks c
       JOIN ${this.#vectorTable('content')} v ON v.chunk_no = c.no
       WHERE c.id = $1 AND ${ofModel(this.#model)}`,
      [id],
    );
    return row && fromVectorBytes(row.bytes);
  }
}
