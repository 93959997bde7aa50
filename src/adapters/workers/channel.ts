import { type ErrorCode, KnowledgeError, reasonOf } from '../../domain/errors.js';
import { type Unanswered, UnansweredError } from './unanswered.js';

/** Methods by name; arguments and results are plain data. */
// biome-ignore lint/suspicious/noExplicitAny: any signature is meant
type Methods<Names extends string = string> = { readonly [Name in Names]: (...args: any[]) => any };

/** What serves the calls of the other process. */
export type Handlers<Served> = {
  readonly [Name in keyof Served]: Served[Name] extends (...args: infer Args) => infer Result
    ? (context: CallContext, ...args: Args) => Result | Awaited<Result>
    : never;
};

/** How the caller follows a call. */
export interface CallContext {
  readonly onProgress: (value: unknown) => void;
  /** Aborted if the caller asks for that, or is gone. */
  readonly signal: AbortSignal;
}

export type CallOptions = { readonly [Name in keyof CallContext]?: CallContext[Name] | undefined };

interface Told {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** What crosses processes. */
export type Message = { readonly posted?: readonly Told[] } & (
  | ({ readonly kind: 'call'; readonly id: number; readonly isTracked?: true } & Told)
  | ({ readonly kind: 'tell' } & Told)
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: PlainError }
  | { readonly kind: 'progress'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'abort'; readonly id: number }
);

interface OpenCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: CallOptions['onProgress'];
}

/**
 * One end of a channel between two processes, each of which calls methods of the other: one message for a call, and one
 * for its result. Codes and messages of errors survive, classes do not.
 */
export class Channel<Called extends Methods<keyof Called & string>, Served> {
  readonly #send: (message: Message) => void;
  readonly #handlers: Handlers<Served>;
  readonly #calls = new Map<number, OpenCall>();
  /** Calls of the other process whose caller follows them. */
  readonly #tracked = new Map<number, AbortController>();
  #posted: readonly Told[] = [];
  #lastId = 0;
  #closed: Error | undefined;

  constructor(send: (message: Message) => void, handlers: Handlers<Served>) {
    this.#send = send;
    this.#handlers = handlers;
  }

  /** @throws what the method throws, and the error with which the channel is closed */
  async call<Name extends keyof Called & string>(
    method: Name,
    args: Parameters<Called[Name]>,
    { onProgress, signal }: CallOptions = {},
  ): Promise<Awaited<ReturnType<Called[Name]>>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const isTracked = onProgress !== undefined || signal !== undefined;
    const abort = () => this.#write({ kind: 'abort', id });
    const result = new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed);
      this.#calls.set(id, { resolve, reject, onProgress });
      this.#write({ kind: 'call', id, method, args, ...(isTracked && { isTracked }) });
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
    return result.finally(() => signal?.removeEventListener('abort', abort)) as never;
  }

  /** Calls a method whose result nobody waits for. */
  tell<Name extends keyof Called & string>(method: Name, ...args: Parameters<Called[Name]>): void {
    this.#write({ kind: 'tell', method, args });
  }

  /** Like `tell`, but without a message of its own, which takes as long as a short search: it comes with the next one. */
  post<Name extends keyof Called & string>(method: Name, ...args: Parameters<Called[Name]>): void {
    this.#posted = [...this.#posted, { method, args }];
  }

  receive(message: Message): void {
    for (const told of message.posted ?? []) this.#handle(told);
    if (message.kind === 'tell') this.#handle(message);
    else if (message.kind === 'call') void this.#serve(message);
    else if (message.kind === 'abort') this.#tracked.get(message.id)?.abort();
    else if (message.kind === 'progress') this.#calls.get(message.id)?.onProgress?.(message.value);
    else this.#settle(message);
  }

  /** The other process is gone: its calls are aborted, and those that it has not answered fail. */
  close(error: Error): void {
    this.#closed = error;
    for (const { reject } of this.#calls.values()) reject(error);
    for (const aborting of this.#tracked.values()) aborting.abort();
    this.#calls.clear();
  }

  #settle(message: Message & { readonly kind: 'result' | 'error' }): void {
    const call = this.#calls.get(message.id);
    this.#calls.delete(message.id);
    if (message.kind === 'result') call?.resolve(message.value);
    else call?.reject(fromPlainError(message.error));
  }

  async #serve(call: Message & { readonly kind: 'call' }): Promise<void> {
    const { id } = call;
    try {
      const value = await this.#handle(call, call.isTracked ? this.#track(id) : undefined);
      this.#write({ kind: 'result', id, value });
    } catch (error) {
      this.#write({ kind: 'error', id, error: toPlainError(error) });
    }
    this.#tracked.delete(id);
  }

  #handle({ method, args }: Told, context: CallContext = UNTRACKED): unknown {
    const handlers = this.#handlers as unknown as Methods;
    return handlers[method]?.(context, ...args);
  }

  #track(id: number): CallContext {
    const aborting = new AbortController();
    this.#tracked.set(id, aborting);
    const onProgress = (value: unknown) => this.#write({ kind: 'progress', id, value });
    return { onProgress, signal: aborting.signal };
  }

  #write(message: Message): void {
    const posted = this.#posted;
    this.#posted = [];
    this.#send(posted.length === 0 ? message : { ...message, posted });
  }
}

const UNTRACKED: CallContext = { onProgress: () => {}, signal: new AbortController().signal };

/** An error as plain data. */
interface PlainError {
  readonly message: string;
  readonly code?: ErrorCode;
  readonly unanswered?: Unanswered;
  /** Of the other process, for the log. */
  readonly stack?: string;
}

export function toPlainError(error: unknown): PlainError {
  if (error instanceof UnansweredError) return { message: error.message, unanswered: error.why };
  const message = error instanceof KnowledgeError ? error.message : reasonOf(error);
  const code = error instanceof KnowledgeError ? { code: error.code } : {};
  return { message, ...code, ...(error instanceof Error && { stack: stackOf(error) }) };
}

function fromPlainError({ message, code, unanswered, stack }: PlainError): Error {
  if (unanswered !== undefined) return new UnansweredError(unanswered);
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  return code === undefined ? cause : new KnowledgeError(code, message, { cause });
}

/** With the stack of the cause, which says what SQLite refused. */
function stackOf({ stack = '', cause }: Error): string {
  return cause instanceof Error ? `${stack}\nCaused by: ${cause.stack}` : stack;
}
