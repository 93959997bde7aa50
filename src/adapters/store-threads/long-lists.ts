import type { MessageFromThread } from './messages.js';

/**
 * Sends long lists in parts. The main thread asks for each, so that its event loop can run in between: to read a message
 * of 10,000 objects takes it 20 ms.
 */
export class LongLists {
  readonly #rests = new Map<number, readonly unknown[]>();

  /** The message with a result, or with the first part of it. */
  first(id: number, value: unknown): MessageFromThread {
    return Array.isArray(value) ? this.#part(id, value) : { kind: 'result', id, value };
  }

  /** The message with the next part of a list, which is the result itself if it is the last. */
  next(id: number): MessageFromThread {
    return this.#part(id, this.#rests.get(id) ?? []);
  }

  #part(id: number, values: readonly unknown[]): MessageFromThread {
    this.#rests.delete(id);
    if (values.length <= SENT_AT_ONCE) return { kind: 'result', id, value: values };
    this.#rests.set(id, values.slice(SENT_AT_ONCE));
    return { kind: 'part', id, values: values.slice(0, SENT_AT_ONCE) };
  }
}

const SENT_AT_ONCE = 1000;
