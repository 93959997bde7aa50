import type { Logger } from '../../../ports/driven/logger.js';
import { codeOf, isIndexFailure } from '../database/postgres-errors.js';
import type { ProjectContext } from '../database/project-database.js';
import type { Session } from '../database/session.js';
import {
  dropIndexes,
  type FoundIndex,
  isOnlyMaker,
  KnownIndexState,
  makeIndex,
  readIdentity,
  readIndexes,
} from './index-state.js';

/** An index that only a large project needs, and whose absence only makes it slower. */
export interface OptionalIndex {
  readonly name: string;
  /** What follows `CREATE INDEX … <name>`. */
  readonly definition: string;
  /** Number of chunks from which it is made and used. */
  readonly fromChunks: number;
  /**
   * Whether a part of it is only in the memory of the server, so that it may silently return less after a
   * restart, or after another session rewrote the table: it is made again then.
   */
  readonly isPartlyInMemory: boolean;
}

/**
 * Makes and repairs the optional indexes of a project in the background, one at a time over all
 * processes. Nobody waits while one is filled, and they are never the truth: what cannot be asked of them is
 * computed from the tables.
 */
export class OptionalIndexes {
  readonly #project: ProjectContext;
  readonly #logger: Logger;
  readonly #indexes: readonly OptionalIndex[];
  readonly #state: KnownIndexState;
  #upkeep: Promise<void> | undefined;
  #nextAttemptAt = 0;
  /** The identities of indexes that failed, or are to be made again. */
  readonly #broken = new Set<string>();

  constructor(project: ProjectContext, indexes: readonly OptionalIndex[], logger: Logger) {
    this.#project = project;
    this.#state = new KnownIndexState(project);
    this.#indexes = indexes;
    this.#logger = logger;
  }

  /** Makes the indexes that even an empty project has. */
  async prepare(): Promise<void> {
    if (this.#indexes.some(({ fromChunks }) => fromChunks === 0)) await this.upkeep();
  }

  /**
   * What `work` reads by means of an index. Undefined if the index is missing or not worth using, if it failed, and
   * if it was made again meanwhile, by whomever; what is worth making is then made in the background.
   */
  async read<T>(name: string, work: (session: Session) => Promise<T>): Promise<T | undefined> {
    const state = await this.#state.recent();
    const wanted = this.#indexes.find((index) => index.name === name);
    if (wanted === undefined || state.chunks < wanted.fromChunks) return undefined;
    const index = this.#intact(wanted, state.indexes);
    if (index === undefined) {
      if (this.#project.clock.monotonic() >= this.#nextAttemptAt) this.#startUpkeep();
      return undefined;
    }
    const { database, schema } = this.#project;
    try {
      const [result, identity] = await database.read(
        async (session) =>
          [await work(session), await readIdentity(session, `${schema}.${name}`)] as const,
      );
      if (identity === index.identity) return result;
      this.#state.forget();
      this.#startUpkeep();
    } catch (error) {
      if (!isIndexFailure(error)) throw error;
      this.#reportFailure(index, error);
    }
    return undefined;
  }

  /** Number of chunks of the project, at most ten seconds old. */
  async chunks(): Promise<number> {
    return (await this.#state.recent()).chunks;
  }

  /**
   * Runs a transaction that changes indexed rows. If an index makes it fail, or outlived a restart of the server, so that
   * to insert into it may never end (pg_textsearch 0.6), the index is dropped, the transaction runs again, and the index
   * is made in the background.
   */
  async write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { database } = this.#project;
    const outlived = new Error('An index outlived a restart of the server.');
    try {
      return await database.transaction(async (session) => {
        if (await this.#state.haveOutlived(session, this.#fragile)) throw outlived;
        return work(session);
      });
    } catch (error) {
      if (error !== outlived && !isIndexFailure(error)) throw error;
      const dropped = await this.#dropFragile().catch(() => []);
      for (const index of dropped) this.#reportFailure(index, error);
      return database.transaction(work);
    }
  }

  /** Makes the indexes that are needed, and those that exist again. */
  async rebuild(): Promise<void> {
    const { indexes } = await this.#state.read();
    for (const { identity } of indexes) this.#broken.add(identity);
    await this.upkeep();
  }

  /** Makes what is missing or broken; resolves when it is done. Failures are logged. */
  async upkeep(): Promise<void> {
    this.#startUpkeep();
    await this.#upkeep;
  }

  /** No longer uses an index, and makes it again in the background. */
  #reportFailure({ name, identity }: FoundIndex, error: unknown): void {
    const reason = codeOf(error);
    this.#logger.warn('An index could not be read; it is made again.', { index: name, reason });
    this.#broken.add(identity);
    this.#state.forget();
    this.#startUpkeep();
  }

  #startUpkeep(): void {
    this.#upkeep ??= this.#work()
      .catch((error) => {
        this.#logger.debug('The indexes could not be looked at.', { reason: codeOf(error) });
      })
      .finally(() => {
        this.#upkeep = undefined;
        this.#state.forget();
      });
  }

  async #work(): Promise<void> {
    const state = await this.#state.read();
    const wanted = this.#indexes.filter(
      (index) => state.chunks >= index.fromChunks && !this.#intact(index, state.indexes),
    );
    for (const index of wanted) await this.#make(index);
  }

  #intact(
    { name, isPartlyInMemory }: OptionalIndex,
    indexes: readonly FoundIndex[],
  ): FoundIndex | undefined {
    return indexes.find(
      (found) =>
        found.name === name &&
        found.isValid &&
        (found.isOfThisRun || !isPartlyInMemory) &&
        !this.#broken.has(found.identity),
    );
  }

  async #make(index: OptionalIndex): Promise<void> {
    const { clock, database, schema } = this.#project;
    try {
      await database.longRunning(async (session) => {
        if (!(await isOnlyMaker(session, schema))) return;
        if (this.#intact(index, await readIndexes(session, schema))) return;
        await makeIndex(session, schema, index);
      });
    } catch (error) {
      this.#nextAttemptAt = clock.monotonic() + PAUSE_AFTER_FAILURE_MS;
      const reason = codeOf(error);
      this.#logger.warn('An index could not be made; searches are slower without it.', {
        index: index.name,
        reason,
      });
    }
  }

  /** Returns those that were there. */
  async #dropFragile(): Promise<readonly FoundIndex[]> {
    const { database, schema } = this.#project;
    const { indexes } = await this.#state.read();
    await database.longRunning((session) => dropIndexes(session, schema, this.#fragile));
    return indexes.filter(({ name }) => this.#fragile.includes(name));
  }

  get #fragile(): readonly string[] {
    return this.#indexes.filter((index) => index.isPartlyInMemory).map(({ name }) => name);
  }
}

/** Because to drop an index may keep everybody waiting. */
const PAUSE_AFTER_FAILURE_MS = 60_000;
