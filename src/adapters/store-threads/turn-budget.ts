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

  /** Also returns how long the work took, without the time in which others had the processor, in milliseconds. */
  spend<T>(work: () => T): { readonly result: T; readonly ms: number } {
    if (this.#spentMs === 0) setImmediate(() => this.#nextTurn());
    const [begin, used] = [performance.now(), process.cpuUsage()];
    const result = work();
    const elapsed = performance.now() - begin;
    this.#spentMs += elapsed;
    const { user, system } = process.cpuUsage(used);
    return { result, ms: Math.min(elapsed, (user + system) / 1000) };
  }

  #nextTurn(): void {
    this.#spentMs = 0;
  }
}
