/** Runs the work under one name one after the other; a failure does not stop the next. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  runExclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(work);
    const end = turn.then(ignore, ignore).then(() => {
      if (this.#last.get(name) === end) this.#last.delete(name);
    });
    this.#last.set(name, end);
    return turn;
  }
}

function ignore(): void {}
