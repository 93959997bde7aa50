import { weighedHeader } from '../../../domain/ranking/vector.js';
import type { HeaderEntry, HeaderIndex, PendingHeader } from '../../../ports/vector-index.js';
import type { ProjectContext } from '../database/project-context.js';
import type { Session } from '../database/session.js';
import { toVectorText, type VectorModel } from './vector-search.js';

/** The headers of one project, in `names`. */
export class PostgresHeaders implements HeaderIndex {
  readonly #project: ProjectContext;
  readonly #model: VectorModel;

  constructor(project: ProjectContext, model: VectorModel) {
    this.#project = project;
    this.#model = model;
  }

  async pending(limit: number): Promise<readonly PendingHeader[]> {
    const { database, schema } = this.#project;
    const rows = await database.rows<PendingHeader & { readonly model: string | null }>(
      `SELECT source_file AS "sourceFile", header AS text, model FROM ${schema}.names
       WHERE header <> '' AND model IS DISTINCT FROM $1 ORDER BY source_file LIMIT $2`,
      [this.#model.model, limit],
    );
    return rows.map(({ model, ...header }) =>
      model === null ? header : { ...header, hasOtherModel: true },
    );
  }

  put(entries: readonly HeaderEntry[]): Promise<void> {
    return this.#project.database.transaction(async (session) => {
      for (const entry of entries) await this.#save(session, entry);
    });
  }

  async #save(session: Session, { sourceFile, text, vector }: HeaderEntry): Promise<void> {
    const { schema } = this.#project;
    const { model, dimensions } = this.#model;
    const weighed = weighedHeader(vector, dimensions);
    const stored = await session.query(
      `UPDATE ${schema}.names SET model = $1, vector = $2::vector
       WHERE source_file = $3 AND header = $4 RETURNING 1`,
      [model, weighed === undefined ? null : toVectorText(weighed), sourceFile, text],
    );
    if (stored.length === 0) return;
    await session.query(
      `UPDATE ${schema}.content_vectors v SET compared = v.vector + h.vector
       FROM ${schema}.chunks c JOIN ${schema}.names h ON h.source_file = c.source_file
       WHERE c.source_file = $1 AND v.chunk_no = c.no AND v.model = h.model`,
      [sourceFile],
    );
  }
}
