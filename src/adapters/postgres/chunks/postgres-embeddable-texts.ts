import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { EmbeddableText, EmbeddableTexts } from '../../../ports/driven/embeddable-texts.js';
import { Parameters } from '../connection/parameters.js';
import type { ProjectContext } from '../connection/project-context.js';
import { chunkCondition } from './chunk-condition.js';
import { NEWEST_FIRST, selectTexts, type TextKind, toEmbeddableText } from './text-kinds.js';

/** The texts of one kind, read from the chunks. */
export class PostgresEmbeddableTexts implements EmbeddableTexts {
  readonly #project: ProjectContext;
  readonly #kind: TextKind;

  constructor(project: ProjectContext, kind: TextKind) {
    this.#project = project;
    this.#kind = kind;
  }

  of(chunkIds: readonly string[]): Promise<readonly EmbeddableText[]> {
    return this.#select('WHERE c.id = ANY($1)', [chunkIds]);
  }

  newest(limit: number, offset: number): Promise<readonly EmbeddableText[]> {
    return this.#select(`${NEWEST_FIRST} LIMIT $1 OFFSET $2`, [limit, offset]);
  }

  async matching(chunkIds: readonly string[], filter: ChunkFilter): Promise<ReadonlySet<string>> {
    const { database, schema } = this.#project;
    const parameters = new Parameters();
    const sql = `SELECT c.id FROM ${schema}.chunks c
      WHERE c.id = ANY(${parameters.add(chunkIds)}) AND ${chunkCondition(filter, parameters)}`;
    const rows = await database.read((session) =>
      session.query<{ readonly id: string }>(sql, parameters.values),
    );
    return new Set(rows.map(({ id }) => id));
  }

  async countChunks(): Promise<number> {
    const { database, schema } = this.#project;
    const [row] = await database.read((session) =>
      session.query<{ readonly count: number }>(`SELECT count(*) AS count FROM ${schema}.chunks`),
    );
    return row?.count ?? 0;
  }

  async #select(rest: string, values: readonly unknown[]): Promise<readonly EmbeddableText[]> {
    const { database, schema } = this.#project;
    const selection = { schema, kind: this.#kind, rest, values };
    const found = await database.read((session) => selectTexts(session, selection));
    return found.map(toEmbeddableText);
  }
}
