import type { Logger } from '../../../ports/driven/logger.js';
import { codeOf } from '../connection/postgres-errors.js';
import type { ProjectContext } from '../connection/project-context.js';
import type { Session } from '../connection/session.js';

/** An index that only a large project needs, and whose absence only makes it slower. */
export interface OptionalIndex {
  readonly name: string;
  /** What follows `CREATE INDEX … <name>`. */
  readonly definition: string;
  /** Number of chunks from which it is made and used. */
  readonly fromChunks: number;
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
  #state: { readonly at: number; readonly value: Promise<IndexState> } | undefined;
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
    const { chunks, valid } = await this.#currentState();
    if (index === undefined || chunks < index.fromChunks) return false;
    if (!valid.has(name) || this.#broken.has(name)) this.#startUpkeep();
    return valid.has(name) && !this.#broken.has(name);
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
    this.#upkeep ??= this.#work().finally(() => {
      this.#upkeep = undefined;
      this.#state = undefined;
    });
  }

  async #work(): Promise<void> {
    const { chunks, valid } = await this.#readState();
    const wanted = this.#indexes.filter(
      ({ name, fromChunks }) =>
        chunks >= fromChunks && (!valid.has(name) || this.#broken.has(name)),
    );
    for (const index of wanted) await this.#make(index, valid.has(index.name));
  }

  /** `isValid`: the index exists and is replaced; otherwise what is left of a failed attempt is removed. */
  async #make(index: OptionalIndex, isValid: boolean): Promise<void> {
    const { database, schema } = this.#project;
    const { name, definition } = index;
    try {
      await database.longRunning(async (session) => {
        if (!(await hasLock(session, schema))) return;
        if (isValid) await session.execute(`REINDEX INDEX CONCURRENTLY ${schema}.${name}`);
        else {
          await session.execute(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`);
          await session.execute(`CREATE INDEX CONCURRENTLY ${name} ${definition}`);
        }
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

  #currentState(): Promise<IndexState> {
    const now = this.#project.clock.monotonic();
    if (this.#state === undefined || now - this.#state.at > STATE_LIFE_MS) {
      const value = this.#readState();
      this.#state = { at: now, value };
      value.catch(() => {
        this.#state = undefined;
      });
    }
    return this.#state.value;
  }

  async #readState(): Promise<IndexState> {
    const { database, schema } = this.#project;
    const [row] = await database.read((session) =>
      session.query<{ readonly chunks: number; readonly valid: readonly string[] }>(
        `SELECT (SELECT count(*) FROM ${schema}.chunks) AS chunks, ARRAY(
           SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
           WHERE c.relnamespace = '${schema}'::regnamespace AND i.indisvalid) AS valid`,
      ),
    );
    return { chunks: row?.chunks ?? 0, valid: new Set(row?.valid) };
  }
}

interface IndexState {
  readonly chunks: number;
  readonly valid: ReadonlySet<string>;
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
