import { KnowledgeError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { Connections } from './connections.js';

export interface LazyConnectionsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /**
   * Opens the connections. Called for the first use, and for the next one after they were closed; undefined if the file is
   * not the same any more.
   */
  readonly connect: () => Promise<Connections | undefined>;
  /** Called before each use and after it. */
  readonly onUse?: (moment: 'begins' | 'ends') => void;
}

/** Connections that are opened by their first use, and again by the next one after they were closed. */
export class LazyConnections {
  readonly #options: LazyConnectionsOptions;
  #opening: Promise<Connections> | undefined;
  #opened: Opened | undefined;
  /** Calls under way, during which the connections stay open. */
  #uses = 0;

  constructor(options: LazyConnectionsOptions) {
    this.#options = options;
  }

  /** @throws KnowledgeError `store_unavailable` if the file was removed or replaced; what opening it throws */
  async use<T>(work: (connections: Connections) => Promise<T>): Promise<T> {
    this.#uses += 1;
    this.#options.onUse?.('begins');
    try {
      if (this.#uses === 1 && this.#isDueAgain()) this.#closeNow();
      this.#opening ??= this.#open();
      return await work(await this.#opening);
    } finally {
      this.#uses -= 1;
      this.#options.onUse?.('ends');
    }
  }

  /** Undefined while none are open. */
  get current(): Connections | undefined {
    return this.#opened?.connections;
  }

  /** Whether the open files are still those of the path; true while none are open. */
  isCurrent(): boolean {
    return this.#opened?.connections.isCurrent() ?? true;
  }

  /** Closes the connections unless they are in use, and returns whether they are closed. */
  closeIfUnused(): boolean {
    if (this.#uses === 0) this.#closeNow();
    return this.#uses === 0;
  }

  /** Waits until they are open if they are being opened. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    this.#closeNow();
  }

  #closeNow(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#opening = undefined;
    opened?.connections.close();
  }

  /** Another process may have written meanwhile what a copy of a database that cannot be written does not have. */
  #isDueAgain(): boolean {
    if (this.#opened === undefined || this.#opened.connections.writer !== undefined) return false;
    return this.#options.clock.monotonic() - this.#opened.at > LOOK_AGAIN_MS;
  }

  async #open(): Promise<Connections> {
    try {
      const connections = await this.#options.connect();
      if (connections === undefined) throw gone();
      this.#opened = { connections, at: this.#options.clock.monotonic() };
      return connections;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }
}

interface Opened {
  readonly connections: Connections;
  /** On the monotonic clock. */
  readonly at: number;
}

/** How long a copy of a database that cannot be written is used. */
const LOOK_AGAIN_MS = 3000;

function gone(): KnowledgeError {
  return new KnowledgeError(
    'store_unavailable',
    'The knowledge store was removed or replaced; try again.',
  );
}
