import type { Logger } from '../../../ports/logger.js';
import { isIndexFailure, sqlState } from '../database/postgres-errors.js';
import type { ProjectContext } from '../database/project-context.js';
import type { Session, Work } from '../database/session.js';
import {
  dropIndexes,
  findIndexes,
  isOnlyMaker,
  makeIndex,
  type OptionalIndex,
  usable,
} from './index-catalog.js';

/**
 * Makes the optional indexes of a project in the background, one at a time over all processes. Nobody waits while one is
 * filled, and they are never the truth: what cannot be asked of them is computed from the tables.
 */
export class OptionalIndexes {
  readonly #project: ProjectContext;
  readonly #logger: Logger;
  readonly #indexes: readonly OptionalIndex[];
  #upkeep: Promise<void> | undefined;
  #nextUpkeepAt = Number.NEGATIVE_INFINITY;

  constructor(project: ProjectContext, indexes: readonly OptionalIndex[], logger: Logger) {
    this.#project = project;
    this.#indexes = indexes;
    this.#logger = logger;
  }

  /**
   * What `work` reads by means of an index, whose full name it is given; undefined if there is no valid one, or if it
   * failed. It is then made in the background, if the project is large enough.
   */
  async read<T>(
    index: OptionalIndex,
    work: (session: Session, name: string | undefined) => Promise<T>,
  ): Promise<T> {
    const { database, schema } = this.#project;
    try {
      return await database.read(async (session) => {
        const name = usable(index, await findIndexes(session, schema, index));
        if (name === undefined) this.#startUpkeep([]);
        return work(session, name);
      });
    } catch (error) {
      if (!isIndexFailure(error)) throw error;
      this.#report(index, error);
      this.#startUpkeep([index]);
      return database.read((session) => work(session, undefined));
    }
  }

  /**
   * Runs a transaction that changes indexed rows. An index that makes it fail, or that is not valid any more, is dropped
   * first, and made again in the background.
   */
  async write<T>(work: Work<T>): Promise<T> {
    const { database } = this.#project;
    const fragile = this.#indexes.filter(({ validFor }) => validFor === 'run');
    try {
      return await database.transaction(async (session) => {
        for (const index of fragile) await this.#refuseInvalid(session, index);
        return work(session);
      });
    } catch (error) {
      const isInvalid = error instanceof InvalidIndex;
      if (!isInvalid && !isIndexFailure(error)) throw error;
      for (const index of fragile) await this.#drop(index, isInvalid ? 'invalid' : 'complete');
      for (const index of fragile) this.#report(index, error);
      this.#startUpkeep([]);
      return database.transaction(work);
    }
  }

  /** Makes the indexes that are needed, also those that exist; failures are logged. */
  async rebuild(): Promise<void> {
    while (this.#upkeep !== undefined) await this.#upkeep;
    this.#nextUpkeepAt = Number.NEGATIVE_INFINITY;
    this.#startUpkeep(this.#indexes);
    await this.#upkeep;
  }

  async #refuseInvalid(session: Session, index: OptionalIndex): Promise<void> {
    const found = await findIndexes(session, this.#project.schema, index);
    if (found.some(({ isValid }) => !isValid)) throw new InvalidIndex();
  }

  /** What another session is making is left alone. */
  async #drop(index: OptionalIndex, which: 'invalid' | 'complete'): Promise<void> {
    const { database, schema } = this.#project;
    await database.transaction(async (session) => {
      const found = await findIndexes(session, schema, index);
      const dropped = found.filter(({ isComplete, isValid }) =>
        which === 'invalid' ? !isValid : isComplete,
      );
      await dropIndexes(session, schema, dropped);
    });
  }

  #report({ name }: OptionalIndex, error: unknown): void {
    const reason = sqlState(error);
    this.#logger.warn('An index cannot be used; it is made again.', { index: name, reason });
  }

  /** Makes what is missing, and `again` also if it is there; at most once a minute, because it counts all chunks. */
  #startUpkeep(again: readonly OptionalIndex[]): void {
    const now = this.#project.clock.monotonic();
    if (this.#upkeep !== undefined || now < this.#nextUpkeepAt) return;
    this.#nextUpkeepAt = now + UPKEEP_PAUSE_MS;
    this.#upkeep = this.#makeAll(again)
      .catch((error) => {
        const reason = sqlState(error);
        this.#logger.warn('An index could not be made; searches are slower.', { reason });
      })
      .finally(() => {
        this.#upkeep = undefined;
      });
  }

  async #makeAll(again: readonly OptionalIndex[]): Promise<void> {
    const { database, schema } = this.#project;
    const [row] = await database.rows<{ readonly chunks: number }>(
      `SELECT count(*) AS chunks FROM ${schema}.chunks`,
    );
    const needed = this.#indexes.filter(({ fromChunks }) => fromChunks <= (row?.chunks ?? 0));
    for (const index of needed) {
      await database.longRunning(async (session) => {
        if (!(await isOnlyMaker(session, schema))) return;
        const found = await findIndexes(session, schema, index);
        if (again.includes(index) || usable(index, found) === undefined)
          await makeIndex(session, schema, { index, found });
      });
    }
  }
}

const UPKEEP_PAUSE_MS = 60_000;

class InvalidIndex extends Error {}
