import { KnowledgeError } from '../domain/errors.js';

/** Runs up to a number of tasks at the same time, and refuses more. */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #tasks: string;
  #running = 0;

  /** @param tasks completes "Too many …" in a refusal: "requests are in progress" */
  constructor(most: number, tasks: string) {
    this.#most = most;
    this.#tasks = tasks;
  }

  get running(): number {
    return this.#running;
  }

  /** @throws KnowledgeError `overloaded`, without starting the task */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) throw overloaded(this.#tasks);
    this.#running += 1;
    try {
      return await task();
    } finally {
      this.#running -= 1;
    }
  }
}

export function overloaded(tasks: string): KnowledgeError {
  return new KnowledgeError('overloaded', `Too many ${tasks}; try again shortly.`);
}

/** Runs work one at a time, in call order, even if earlier work fails. */
export class PromiseQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as `work` does. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(ignore);
    return result;
  }

  /** Resolves when all work queued so far is done; never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Runs work of the same name one at a time, like a {@link PromiseQueue}. Forgets a name that has no more work. */
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

/**
 * The result of the work; undefined if it takes longer than `ms`. The signal is aborted when the wait ends; work that
 * ignores it continues.
 */
export async function withTimeout<T>(
  clock: Sleeper,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const timeUp = clock.sleep(ms, signal).then(() => undefined);
    return await keepAlive(Promise.race([work(signal), timeUp]));
  } finally {
    over.abort('over'); // Without a reason, every abort would create an error with its stack.
  }
}

interface Sleeper {
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

function ignore(): void {}

/** Keeps the process alive until the work settles. Background timers do not, so Node could exit during a call. */
async function keepAlive<Result>(work: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => undefined, LONGEST_INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

const LONGEST_INTERVAL_MS = 2 ** 30;
