/** How much of the current turn of the event loop was spent on a kind of work. */
export class TurnBudget {
  readonly #maxMs: number;
  #spentMs = 0;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  isSpent(): boolean {
    return this.#spentMs >= this.#maxMs;
  }

  /** Also returns how long the work took, in milliseconds. */
  spend<T>(work: () => T): { readonly result: T; readonly ms: number } {
    if (this.#spentMs === 0) setImmediate(() => this.#nextTurn());
    const begin = performance.now();
    const result = work();
    const ms = performance.now() - begin;
    this.#spentMs += ms;
    return { result, ms };
  }

  #nextTurn(): void {
    this.#spentMs = 0;
  }
}
