import { STORE_LOCK_TIMEOUT_MS } from '../../../domain/limits.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { codeOf, isIndexFailure } from '../connection/postgres-errors.js';
import type { ProjectContext } from '../connection/project-context.js';
import type { Session } from '../connection/session.js';
import { type IndexState, noteOrigin, readIndexState } from './index-state.js';

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
 * processes. They are made concurrently, so that nobody waits, and are never the truth: what cannot be
 * asked of them is computed from the tables.
 */
export class OptionalIndexes {
  readonly #project: ProjectContext;
  readonly #logger: Logger;
  readonly #indexes: readonly OptionalIndex[];
  #state: KnownState | undefined;
  #upkeep: Promise<void> | undefined;
  readonly #broken = new Set<string>();

  constructor(project: ProjectContext, indexes: readonly OptionalIndex[], logger: Logger) {
    this.#project = project;
    this.#indexes = indexes;
    this.#logger = logger;
  }

  /** Makes the indexes that even an empty project has. */
  async prepare(): Promise<void> {
    if (this.#indexes.some(({ fromChunks }) => fromChunks === 0)) await this.upkeep();
  }

  /** Whether an index is there and worth using; if it is missing and worth making, starts to make it. */
  async isUsable(name: string): Promise<boolean> {
    const index = this.#indexes.find((other) => other.name === name);
    const state = await this.#currentState();
    if (index === undefined || state.chunks < index.fromChunks) return false;
    const isUsable = this.#isIntact(index, state);
    if (!isUsable) this.#startUpkeep();
    return isUsable;
  }

  /** Number of chunks of the project, at most ten seconds old. */
  async chunks(): Promise<number> {
    return (await this.#currentState()).chunks;
  }

  /** No longer uses an index, until it has been made again in the background. */
  reportFailure(name: string, error: unknown): void {
    const reason = codeOf(error);
    this.#logger.warn('An index could not be read; it is made again.', { index: name, reason });
    this.#broken.add(name);
    this.#startUpkeep();
  }

  /**
   * Runs a transaction that changes indexed rows. If an index makes it fail, the index is dropped, the
   * transaction runs again, and the index is made in the background.
   */
  async write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { database } = this.#project;
    try {
      return await database.transaction(work);
    } catch (error) {
      if (!isIndexFailure(error)) throw error;
      const dropped = await this.#dropFragile().catch(() => []);
      for (const name of dropped) this.reportFailure(name, error);
      return database.transaction(work);
    }
  }

  /** Makes the indexes that are needed, and those that exist again. */
  async rebuild(): Promise<void> {
    for (const { name } of this.#indexes) this.#broken.add(name);
    await this.upkeep();
  }

  /** Makes what is missing or broken; resolves when it is done. Failures are logged. */
  async upkeep(): Promise<void> {
    this.#startUpkeep();
    await this.#upkeep;
  }

  #startUpkeep(): void {
    this.#upkeep ??= this.#work()
      .catch((error) => {
        this.#logger.debug('The indexes could not be looked at.', { reason: codeOf(error) });
      })
      .finally(() => {
        this.#upkeep = undefined;
        this.#state = undefined;
      });
  }

  async #work(): Promise<void> {
    const state = await this.#readState();
    const wanted = this.#indexes.filter(
      (index) => state.chunks >= index.fromChunks && !this.#isIntact(index, state),
    );
    for (const index of wanted) await this.#make(index);
  }

  #isIntact({ name, isPartlyInMemory }: OptionalIndex, { indexes }: IndexState): boolean {
    const found = indexes.find((index) => index.name === name);
    if (found === undefined || this.#broken.has(name)) return false;
    return found.isValid && (found.isOfThisRun || !isPartlyInMemory);
  }

  /** What is there is dropped first: a damaged index would make writes fail meanwhile. */
  async #make({ name, definition }: OptionalIndex): Promise<void> {
    const { database, schema } = this.#project;
    try {
      await database.longRunning(async (session) => {
        if (!(await hasLock(session, schema))) return;
        await session.execute(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`);
        await session.execute(`CREATE INDEX CONCURRENTLY ${name} ${definition}`);
        await noteOrigin(session, `${schema}.${name}`);
        this.#broken.delete(name);
      });
    } catch (error) {
      const reason = codeOf(error);
      this.#logger.warn('An index could not be made; searches are slower without it.', {
        index: name,
        reason,
      });
    }
  }

  /** Returns the names of those that were there. One that is being made is left alone. */
  async #dropFragile(): Promise<readonly string[]> {
    const { database, schema } = this.#project;
    const { indexes } = await this.#readState();
    const dropped = this.#indexes
      .filter((index) => index.isPartlyInMemory)
      .filter(({ name }) => indexes.some((found) => found.name === name && found.isValid))
      .map(({ name }) => name);
    await database.longRunning(async (session) => {
      await session.execute(`SET lock_timeout = ${STORE_LOCK_TIMEOUT_MS}`);
      for (const name of dropped)
        await session.execute(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`);
    });
    return dropped;
  }

  /** A new connection may lead to a server that was restarted. */
  #currentState(): Promise<IndexState> {
    const { clock, database } = this.#project;
    const [now, connections] = [clock.monotonic(), database.connectionsMade];
    const isOld = this.#state === undefined || now - this.#state.at > STATE_LIFE_MS;
    if (isOld || this.#state?.connections !== connections) {
      const value = this.#readState();
      this.#state = { at: now, connections, value };
      value.catch(() => {
        this.#state = undefined;
      });
    }
    return this.#state.value;
  }

  #readState(): Promise<IndexState> {
    const { database, schema } = this.#project;
    return database.read((session) => readIndexState(session, schema));
  }
}

interface KnownState {
  readonly at: number;
  /** How many were made until then. */
  readonly connections: number;
  readonly value: Promise<IndexState>;
}

const STATE_LIFE_MS = 10_000;

/** Held until the connection is closed. */
async function hasLock(session: Session, schema: string): Promise<boolean> {
  const [row] = await session.query<{ readonly locked: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
    [`knowledge_store ${schema} indexes`],
  );
  return row?.locked === true;
}
