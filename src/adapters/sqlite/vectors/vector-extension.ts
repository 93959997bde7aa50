import type Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { reasonOf } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/logger.js';

/** Loads sqlite-vec into a connection; throws where there is no build of it for this system. */
export type LoadExtension = (db: Database.Database) => void;

export const loadSqliteVec: LoadExtension = load;

/** sqlite-vec on the connections of a service: loaded once per connection, on first use. */
export class VectorExtension {
  readonly #load: LoadExtension;
  readonly #logger: Logger;
  readonly #loaded = new WeakSet<Database.Database>();
  #problem: string | undefined;

  constructor(load: LoadExtension, logger: Logger) {
    this.#load = load;
    this.#logger = logger;
  }

  /** Whether vectors can be compared on this connection. Logs once if they cannot. */
  isLoadedInto(db: Database.Database): boolean {
    if (this.#problem !== undefined) return false;
    if (this.#loaded.has(db)) return true;
    try {
      this.#load(db);
      this.#loaded.add(db);
      return true;
    } catch (error) {
      this.#problem = `Vectors cannot be compared here, since sqlite-vec could not be loaded (${process.platform}-${process.arch}).`;
      this.#logger.warn(`${this.#problem} Searches use keywords only.`, {
        reason: reasonOf(error),
      });
      return false;
    }
  }

  /** Why vectors cannot be compared on this connection; undefined where they can. */
  problemOn(db: Database.Database): string | undefined {
    return this.isLoadedInto(db) ? undefined : this.#problem;
  }
}
