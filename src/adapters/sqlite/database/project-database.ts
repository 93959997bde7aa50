import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { PromiseQueue } from '../../../domain/promise-queue.js';
import type { Clock } from '../../../ports/driven/clock.js';
import { type Connections, unavailable } from './connections.js';
import { SharedWrites } from './shared-writes.js';
import { isDamage, toKnowledgeError } from './sqlite-errors.js';
import { LONGEST_PAUSE_MS, lockDeadline, pauseForLog, retryWhileBusy } from './waiting.js';

export interface ProjectDatabaseOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /**
   * Opens the connections. Called for the first use, and for the next one after they were closed; undefined if the file is
   * not the same any more.
   */
  readonly connect: () => Promise<Connections | undefined>;
  /** Called before each use and after it. */
  readonly onUse?: (moment: 'begins' | 'ends') => void;
  /** Beyond this the write-ahead log slows writes down; default 32 MB. */
  readonly logMaxBytes?: number;
  /** Called when an operation finds the database damaged. */
  readonly onDamage: () => void;
  /** Once it is aborted, a lock that another process holds is no longer waited for. */
  readonly stopWaiting: AbortSignal;
  /** How long a lock that another process holds is waited for; default 15 s. */
  readonly lockTimeoutMs?: number;
}

/**
 * Runs work on a project's database and translates what it throws. The connections are opened by the first use, and again
 * by the next one after they were closed. Reads see the last commit. Writes are immediate transactions, one after the
 * other; a lock that another process holds is waited for without stopping the event loop, and not longer because others
 * wait for it too.
 */
export class ProjectDatabase {
  readonly #options: ProjectDatabaseOptions;
  readonly #writes = new PromiseQueue();
  readonly #closing = new AbortController();
  /** Each ends a wait. */
  readonly #signals: readonly AbortSignal[];
  #opening: Promise<Connections> | undefined;
  #opened: { readonly connections: Connections; readonly at: number } | undefined;
  /** Calls under way, during which the connections stay open. */
  #uses = 0;

  constructor(options: ProjectDatabaseOptions) {
    this.#options = options;
    this.#signals = [this.#closing.signal, options.stopWaiting];
  }

  read<T>(work: (db: Database) => T): Promise<T> {
    return this.#use((connections) => this.#retry(() => work(connections.reader)));
  }

  /** `work` may await; its transaction is committed when it resolves and rolled back when it rejects. */
  async write<T>(work: (db: Database) => T | Promise<T>): Promise<T> {
    const deadline = lockDeadline(this.#options.lockTimeoutMs);
    const { value, pauseMs } = await this.#writes.run(() =>
      this.#use(async (connections) => {
        const value = await connections.transaction(work, (begin) => this.#retry(begin, deadline));
        const { writer } = connections;
        return { value, pauseMs: writer ? pauseForLog(writer, this.#options.logMaxBytes) : 0 };
      }),
    );
    await this.#pause(pauseMs);
    return value;
  }

  /** For writes of which those that wait at the same time share a transaction. */
  sharedWriter(): Pick<SharedWrites, 'run'> {
    const writes = new SharedWrites((work) => this.write(work));
    return { run: (write) => writes.run(write).catch(this.#translate) };
  }

  /** Closes the connections soon; the next use opens the database again, checks it and mends what it derives. */
  markSuspect(): void {
    this.#options.onDamage();
  }

  /** Moves what was committed into the database file, as far as nobody is reading it from elsewhere. */
  async checkpoint(): Promise<void> {
    await this.#writes.idle();
    await this.#use(async ({ writer }) => writer?.pragma('wal_checkpoint(PASSIVE)'));
  }

  /** Whether the open files are still those of the path; true while none are open. */
  isCurrent(): boolean {
    return this.#opened?.connections.isCurrent() ?? true;
  }

  /** Closes the connections unless they are in use, and returns whether they are closed; the next use opens them again. */
  closeIfUnused(): boolean {
    if (this.#uses === 0) this.#closeNow();
    return this.#uses === 0;
  }

  /** Closes the connections for good once the work under way is done; what waits for a lock is given up. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#writes.idle();
    await this.#opening?.catch(() => undefined);
    this.#closeNow();
  }

  #retry<T>(attempt: () => T, deadline = lockDeadline(this.#options.lockTimeoutMs)): Promise<T> {
    return retryWhileBusy(attempt, { deadline, signals: this.#signals });
  }

  /** Where somebody reads an earlier state of the database for long, writers are slowed down, so that the log stays short. */
  async #pause(pauseMs: number): Promise<void> {
    const isClosing = () => this.#signals.some(({ aborted }) => aborted);
    const until = performance.now() + pauseMs;
    while (performance.now() < until && !isClosing()) await sleep(LONGEST_PAUSE_MS);
  }

  async #use<T>(work: (connections: Connections) => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted) throw unavailable('The store was closed; try again.');
    this.#uses += 1;
    this.#options.onUse?.('begins');
    try {
      if (this.#uses === 1 && this.#isOutdated()) this.#closeNow();
      this.#opening ??= this.#open();
      return await work(await this.#opening);
    } catch (error) {
      return this.#translate(error);
    } finally {
      this.#uses -= 1;
      this.#options.onUse?.('ends');
    }
  }

  readonly #translate = (error: unknown): never => {
    if (isDamage(error)) this.#options.onDamage();
    throw toKnowledgeError(error);
  };

  async #open(): Promise<Connections> {
    try {
      const connections = await this.#options.connect();
      if (connections === undefined) {
        throw unavailable('The knowledge store was removed or replaced; try again.');
      }
      this.#opened = { connections, at: this.#options.clock.monotonic() };
      return connections;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  #closeNow(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#opening = undefined;
    opened?.connections.close();
  }

  /** Another process may have written meanwhile what a copy of a database that cannot be written does not have. */
  #isOutdated(): boolean {
    if (this.#opened === undefined || this.#opened.connections.writer !== undefined) return false;
    return this.#options.clock.monotonic() - this.#opened.at > LOOK_AGAIN_MS;
  }
}

/** How long a copy of a database that cannot be written is used. */
const LOOK_AGAIN_MS = 3000;
