import { callStore, type StoreCall } from '../../ports/driven/forwarding-store.js';
import type { ProjectStore, ReleasableStores } from '../../ports/driven/project-stores.js';
import type { TurnBudget } from './turn-budget.js';
import type { Watched } from './watch-cell.js';

export type MakeStores = (watched: Watched) => ReleasableStores;

/** The store of one project, used in the calling thread. */
export class NearbyStore {
  readonly #projectPath: string;
  readonly #stores: ReleasableStores;
  #opened: { readonly store: ProjectStore; readonly identity: string } | undefined;
  /** How long reads take, the last one counting for half. */
  #usualMs = 0;
  #avoidedUntil = 0;
  #isProven = false;

  constructor(projectPath: string, makeStores: MakeStores, turn: TurnBudget) {
    this.#projectPath = projectPath;
    this.#stores = makeStores((work) => {
      const { result, ms } = turn.spend(work);
      this.#note(ms);
      return result;
    });
  }

  isAvoided(): boolean {
    return performance.now() < this.#avoidedUntil;
  }

  /** Whether a search in a thread was quick enough to be made here, since one here was not. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** Makes a search in a thread, and notes whether it is quick. */
  async prove(inThread: () => Promise<unknown>): Promise<unknown> {
    const begin = performance.now();
    const result = await inThread();
    this.#isProven = performance.now() - begin <= SLOW_MS;
    return result;
  }

  /** @param identity - of the file that is there now */
  async call(call: StoreCall, identity: string): Promise<unknown> {
    try {
      const { store } = this.#current(identity) ?? (await this.#open(identity));
      return await callStore(store, call);
    } catch (error) {
      this.#opened = undefined;
      this.#avoidFor(PAUSE_AFTER_FAILURE_MS);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#stores.close();
  }

  #current(identity: string) {
    return this.#opened?.identity === identity ? this.#opened : undefined;
  }

  async #open(identity: string) {
    this.#opened = { store: await this.#stores.open(this.#projectPath), identity };
    return this.#opened;
  }

  /** A read that took twice as long as is slow is enough; on a busy machine others get the processor for a moment. */
  #note(ms: number): void {
    this.#usualMs = (this.#usualMs + ms) / 2;
    if (this.#usualMs <= SLOW_MS) return;
    this.#avoidFor(ms * PAUSE_FACTOR);
    this.#usualMs = 0;
  }

  #avoidFor(ms: number): void {
    this.#avoidedUntil = performance.now() + ms;
    this.#isProven = false;
  }
}

const SLOW_MS = 20;

/** So that slow reads take at most a thousandth of the time of the thread. */
const PAUSE_FACTOR = 1000;
const PAUSE_AFTER_FAILURE_MS = 5_000;
