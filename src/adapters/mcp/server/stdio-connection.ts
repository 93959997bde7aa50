import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { DRAIN_MS } from '../limits.js';

/**
 * The connection to the client at the other end of two streams. Ends when the input ends, as that of the
 * SDK does, but first answers what it was asked: a client may send its requests and close the stream.
 */
export class StdioConnection extends StdioServerTransport {
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  readonly #unanswered = new Set<RequestId>();
  readonly #settle = new AbortController();
  #closing: Promise<void> | undefined;
  #end: () => void = () => undefined;

  constructor(input: Readable, output: Writable) {
    super(input, output);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    // Nobody is left to be answered.
    output.once('error', () => this.#settle.abort());
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!isJSONRPCResponse(message) || message.id === undefined) return;
    this.#unanswered.delete(message.id);
    if (this.#closing !== undefined && this.#unanswered.size === 0) this.#settle.abort();
  }

  override close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    const { signal } = this.#settle;
    if (this.#unanswered.size > 0) {
      await pause(DRAIN_MS, undefined, { signal }).catch(() => undefined);
    }
    await super.close();
    this.#end();
  }
}
