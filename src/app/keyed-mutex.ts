/** Runs work under the same name one at a time, in call order, even if earlier work fails. */
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
