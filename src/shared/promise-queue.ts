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

/** Runs work under the same name one at a time, as a {@link PromiseQueue} does; keeps nothing of a name without work. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  runExclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(work);
    const end = result.then(ignore, ignore).then(() => {
      if (this.#last.get(name) === end) this.#last.delete(name);
    });
    this.#last.set(name, end);
    return result;
  }
}

function ignore(): void {}
