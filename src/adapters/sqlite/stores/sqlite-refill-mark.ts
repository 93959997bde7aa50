import type { RefillMark } from '../../../ports/driven/refill-mark.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { clearState, stateOf } from '../database/store-state.js';

/** The fact of this name: where the damaged database was moved to. */
export const REFILL_NEEDED = 'refill_needed';

/** Set when a damaged database was set aside. */
export class SqliteRefillMark implements RefillMark {
  readonly #database: ProjectDatabase;

  constructor(database: ProjectDatabase) {
    this.#database = database;
  }

  isSet(): Promise<boolean> {
    return this.#database.read((db) => stateOf(db, REFILL_NEEDED) !== undefined);
  }

  async clear(): Promise<void> {
    await this.#database.write((db) => clearState(db, REFILL_NEEDED));
  }
}
