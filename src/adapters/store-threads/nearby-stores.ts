import { isWrite, type StoreCall } from '../../ports/driven/forwarding-store.js';
import type { Place } from './messages.js';
import { type MakeStores, NearbyStore } from './nearby-store.js';
import { storeFileAt } from './store-file.js';
import { TurnBudget } from './turn-budget.js';

export interface NearbyStoresOptions {
  /** Its stores must not wait for locks for long, nor move the log into the file, which waits for the disk. */
  readonly makeStores: MakeStores;
  readonly locationOf: (projectPath: string) => string;
  /** How many calls the writing thread has. */
  readonly callsOfWriter: () => number;
}

/** A call, and how it is made in a thread. */
export interface NearbyCall {
  readonly place: Place;
  readonly call: StoreCall;
  readonly inThread: () => Promise<unknown>;
}

/**
 * Makes the short calls of searches in small stores in the calling thread: to send them to another thread takes as long
 * as they do. A store in which a call failed or took long is left to the threads for a while, and so is each until a search
 * in a thread was quick, because projects are untrusted and only a thread can be given up.
 */
export class NearbyStores {
  readonly #options: NearbyStoresOptions;
  readonly #stores = new Map<string, NearbyStore>();
  readonly #turn = new TurnBudget(TURN_MS);
  #counts = 0;
  #countsInThread = 0;
  #underWay = 0;

  constructor(options: NearbyStoresOptions) {
    this.#options = options;
  }

  run({ place, call, inThread }: NearbyCall): Promise<unknown> {
    if (!isShort(call)) return inThread();
    return isWrite(call)
      ? this.#count({ place, call, inThread: () => this.#countInThread(inThread) })
      : this.#read({ place, call, inThread });
  }

  async release(projectPath: string): Promise<void> {
    const store = this.#stores.get(projectPath);
    this.#stores.delete(projectPath);
    await store?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#stores.keys()].map((projectPath) => this.release(projectPath)));
  }

  #read(call: NearbyCall): Promise<unknown> {
    const isBusy = this.#underWay >= CALLS_AT_ONCE || this.#turn.isSpent();
    return isBusy || this.#isThreadWriting() ? call.inThread() : this.#here(call);
  }

  /** Some are left to the thread, which then moves the log into the file. */
  #count(call: NearbyCall): Promise<unknown> {
    this.#counts += 1;
    const isTurnOfThread = this.#counts % THREAD_COUNTS_EVERY === 0;
    return isTurnOfThread || this.#isThreadWriting() ? call.inThread() : this.#here(call);
  }

  /** Anything but counts: it has the lock then, and reads find the disk busy and their cached pages outdated. */
  #isThreadWriting(): boolean {
    return this.#options.callsOfWriter() > this.#countsInThread;
  }

  async #countInThread(inThread: () => Promise<unknown>): Promise<unknown> {
    this.#countsInThread += 1;
    try {
      return await inThread();
    } finally {
      this.#countsInThread -= 1;
    }
  }

  async #here({ place, call, inThread }: NearbyCall): Promise<unknown> {
    const store = this.#stores.get(place.projectPath) ?? this.#add(place.projectPath);
    if (store.isAvoided() || !this.#isSmall(place)) return inThread();
    if (!store.isProven) return isSearch(call) ? store.prove(inThread) : inThread();
    this.#underWay += 1;
    try {
      return await store.call(call, place.identity);
    } catch {
      return inThread();
    } finally {
      this.#underWay -= 1;
    }
  }

  #isSmall({ projectPath, identity }: Place): boolean {
    const file = storeFileAt(this.#options.locationOf(projectPath));
    return file?.identity === identity && file.bytes <= NEARBY_MAX_BYTES;
  }

  #add(projectPath: string): NearbyStore {
    const store = new NearbyStore(projectPath, this.#options.makeStores, this.#turn);
    this.#stores.set(projectPath, store);
    return store;
  }
}

/** The calls of a search that go through a part of the store only. */
const SHORT_CALLS: ReadonlySet<string> = new Set([
  'keywords.search',
  'vectors.similarities',
  'questionVectors.similarities',
  'retrievals.record',
]);

function isShort({ port, method }: StoreCall): boolean {
  return SHORT_CALLS.has(`${port}.${method}`);
}

function isSearch({ port, method }: StoreCall): boolean {
  return port === 'keywords' && method === 'search';
}

/** Some 2,500 chunks, where a search for many words takes 3 ms; if each chunk is a line that matches, 60 ms. */
const NEARBY_MAX_BYTES = 6 * 2 ** 20;

/** How long one turn of the event loop may read; the other calls of that turn are made in threads. */
const TURN_MS = 5;

/** They may all be made in the same turn. */
const CALLS_AT_ONCE = 8;

const THREAD_COUNTS_EVERY = 32;
