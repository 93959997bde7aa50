import type { RefillMark } from '../../../ports/driven/refill-mark.js';
import type { ProjectContext } from '../connection/project-context.js';
import { PROJECTS } from '../schema/registry.js';

/** Set in the table of projects when the schema of a project was missing. */
export class PostgresRefillMark implements RefillMark {
  readonly #project: ProjectContext;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  async isSet(): Promise<boolean> {
    const { database, schema } = this.#project;
    const rows = await database.read((session) =>
      session.query(`SELECT 1 FROM ${PROJECTS} WHERE schema_name = $1 AND refill_needed`, [schema]),
    );
    return rows.length > 0;
  }

  async clear(): Promise<void> {
    const { database, schema } = this.#project;
    await database.write((session) =>
      session.query(`UPDATE ${PROJECTS} SET refill_needed = false WHERE schema_name = $1`, [
        schema,
      ]),
    );
  }
}
