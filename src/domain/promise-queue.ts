/** Runs work one at a time, in call order, even if earlier work fails. */
export class PromiseQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as `work` does. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(ignore);
    return result;
  }

  /** Resolves when the work that was given so far is done; never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

function ignore(): void {}
