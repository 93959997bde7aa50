import type { Database } from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { errorReason } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/logger.js';

/** Loads sqlite-vec into a connection; throws if there is no build of it for this system. */
export type LoadExtension = (db: Database) => void;

export const loadSqliteVec: LoadExtension = load;

/** Loads sqlite-vec into the connections of a service, once per connection, on first use. */
export class VectorExtension {
  readonly #load: LoadExtension;
  readonly #logger: Logger;
  readonly #loaded = new WeakSet<Database>();
  #problem: string | undefined;

  constructor(load: LoadExtension, logger: Logger) {
    this.#load = load;
    this.#logger = logger;
  }

  /** Returns why vectors cannot be compared on this connection, and logs it once; undefined if they can. */
  problemOn(db: Database): string | undefined {
    if (this.#problem !== undefined || this.#loaded.has(db)) return this.#problem;
    try {
      this.#load(db);
      this.#loaded.add(db);
    } catch (error) {
      this.#problem = `Vectors cannot be compared here, since sqlite-vec could not be loaded (${process.platform}-${process.arch}).`;
      const reason = errorReason(error);
      this.#logger.warn(`${this.#problem} Searches use keywords only.`, { reason });
    }
    return this.#problem;
  }
}
