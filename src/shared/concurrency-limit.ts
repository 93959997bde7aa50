import { KnowledgeError } from '../domain/errors.js';

/** Lets a number of tasks run at the same time, and refuses those beyond it. */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #tasks: string;
  #running = 0;

  /** @param tasks for the sentence of a refusal: "requests are in progress" */
  constructor(most: number, tasks: string) {
    this.#most = most;
    this.#tasks = tasks;
  }

  get running(): number {
    return this.#running;
  }

  /** @throws KnowledgeError `overloaded`; the task is not begun then */
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
