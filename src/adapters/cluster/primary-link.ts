import { once } from 'node:events';
import { Socket } from 'node:net';
import { KnowledgeError } from '../../domain/errors.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { Answer, ModelState, PrimaryMessage, Question, WorkerMessage } from './messages.js';
import { HEARTBEAT_MS } from './messages.js';

/** Connects this worker with its primary. If the primary is gone, node:cluster ends this process. */
export async function joinPrimary(): Promise<PrimaryLink> {
  // The primary gets these signals as well, and tells the worker when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const send = (message: WorkerMessage, onSent = () => {}) => {
    if (process.connected) process.send?.(message, undefined, undefined, onSent);
  };
  let link: PrimaryLink | undefined;
  const beat = () => {
    const isBusy = link?.isBusy() ?? true;
    send({ kind: 'heartbeat', rssBytes: process.memoryUsage.rss(), isBusy });
  };
  setInterval(beat, HEARTBEAT_MS);
  beat();
  const first: PrimaryMessage & { kind: 'model' } = (await once(process, 'message'))[0];
  link = new PrimaryLink(first.state, send);
  process.on('message', (message: PrimaryMessage, handle) => link.receive(message, handle));
  return link;
}

/** What a worker serves, as {@link PrimaryLink} sees it. */
export interface ServingWorker {
  /** The address at which the worker listens, or the one to report if the primary accepts its connections. */
  readonly url: string;
  /** Called before the process ends. */
  stop(): Promise<void>;
  /** Serves a connection that the primary has accepted; absent if the primary accepts none. */
  accept?(connection: Socket): void;
  /** Whether the worker has clients or work. Without this method, the worker counts as busy. */
  isBusy?(): boolean;
}

type Send = (message: WorkerMessage, onSent?: () => void) => void;

/** A worker's end of the channel to the primary, which hosts the embedding model. */
export class PrimaryLink {
  readonly #send: Send;
  readonly #pending = new Map<number, (answer: Answer) => void>();
  #model: ModelState;
  #lastId = 0;
  #isClosed = false;
  #serving: ServingWorker | undefined;

  constructor(model: ModelState, send: Send) {
    this.#model = model;
    this.#send = send;
  }

  /** Reports to the primary that this process is ready to serve. */
  ready(serving: ServingWorker): void {
    this.#serving = serving;
    this.#send({ kind: 'ready', url: serving.url });
  }

  isBusy(): boolean {
    return this.#serving?.isBusy?.() ?? true;
  }

  /** Reports why this process cannot serve, and ends it. */
  fail(reason: string): void {
    this.#send({ kind: 'failed', reason }, () => process.exit(1));
  }

  /** @param handle the connection, if the message comes with one that is still open */
  receive(message: PrimaryMessage, handle?: unknown): void {
    if (message.kind === 'model') this.#model = message.state;
    else if (message.kind === 'answer') this.#pending.get(message.id)?.(message.answer);
    else if (message.kind === 'stop') void this.#end();
    else this.#take(handle);
  }

  #take(handle: unknown): void {
    this.#send({ kind: 'taken' });
    if (handle instanceof Socket) this.#serving?.accept?.(handle);
  }

  async #end(): Promise<void> {
    await this.#serving?.stop().catch(() => undefined);
    process.exit(0);
  }

  /** The metrics of all workers, in the Prometheus text format. @throws KnowledgeError */
  async metrics(): Promise<string> {
    return (await this.#ask({ purpose: 'metrics' })).metrics ?? '';
  }

  /** An embedding model that passes each call on to the primary. */
  embedder(): EmbeddingModel {
    const { model, dimensions } = this.#model;
    return {
      model,
      dimensions,
      isReady: () => this.#model.status.state === 'ready' && !this.#isClosed,
      status: () => this.#model.status,
      load: (which) => this.#load(which),
      hurry: (isWaitedFor) => this.#send({ kind: 'hurry', isWaitedFor }),
      embed: async (text, signal) => {
        const { vectors = [] } = await this.#ask({ purpose: 'query', texts: [text] }, signal);
        return vectors[0] ?? new Float32Array(dimensions);
      },
      embedBatch: async (texts, role) =>
        texts.length === 0
          ? []
          : ((await this.#ask({ purpose: 'batch', texts, role })).vectors ?? []),
      close: async () => {
        this.#isClosed = true;
        for (const settle of this.#pending.values()) settle({ error: STOPPED });
      },
    };
  }

  /** Asks the primary to load the model. The result arrives as a new model state. */
  #load(which: 'any' | 'installed' | undefined): void {
    if (this.#model.status.state === 'idle' && which !== 'installed')
      this.#model = { ...this.#model, status: { state: 'loading' } };
    this.#send({ kind: 'load', which });
  }

  async #ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    if (this.#isClosed || signal?.aborted) throw new KnowledgeError(STOPPED.code, STOPPED.sentence);
    this.#lastId += 1;
    const id = this.#lastId;
    const abort = () => {
      this.#send({ kind: 'abort', id });
      this.#pending.get(id)?.({ error: STOPPED });
    };
    const answered = new Promise<Answer>((resolve) => this.#pending.set(id, resolve));
    this.#send({ kind: 'question', id, question });
    signal?.addEventListener('abort', abort, { once: true });
    const answer = await answered;
    signal?.removeEventListener('abort', abort);
    this.#pending.delete(id);
    if (answer.error) throw new KnowledgeError(answer.error.code, answer.error.sentence);
    return answer;
  }
}

const STOPPED = {
  code: 'model_unavailable',
  sentence: 'The call was cancelled.',
} as const;
