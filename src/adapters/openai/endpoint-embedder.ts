import { errorReason, KnowledgeError, ModelCallError } from '../../domain/errors.js';
import { EMBEDDING_DIMENSIONS } from '../../domain/limits.js';
import type { Vector } from '../../domain/ranking/vector.js';
import { takeHead } from '../../domain/text.js';
import type { Clock } from '../../ports/clock.js';
import {
  type EmbedderStatus,
  type EmbeddingModel,
  type TextRole,
  TRIAL_TEXT,
} from '../../ports/embedder.js';
import type { Logger } from '../../ports/logger.js';
import { Backoff } from '../../shared/backoff.js';
import { ConcurrencyLimit, PromiseQueue } from '../../shared/concurrency.js';
import { EmbeddingReplies } from './embedding-replies.js';
import { type Endpoint, EndpointClient } from './endpoint-client.js';

export interface EndpointEmbedderOptions extends Endpoint {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time limit of one call; default 10 s. */
  readonly timeoutMs?: number;
}

/**
 * Embeds with `POST {baseUrl}/embeddings`, in OpenAI's format. Vectors have 384 values; longer ones of some models are
 * cut. Only the first 8,000 characters of a text are embedded. A trial call decides whether the endpoint is ready.
 * After a failure no call is made for 1 s, doubling up to 5 minutes, or for as long as the endpoint asks. A batch that
 * fails because of a text (4xx except 401, 403, 408 and 429; 5xx or no status if a trial right after it succeeds) fails
 * with a ModelCallError and causes no pause.
 */
export class EndpointEmbedder implements EmbeddingModel {
  readonly model: string;
  readonly dimensions = EMBEDDING_DIMENSIONS;
  readonly #endpoint: EndpointClient;
  readonly #replies: EmbeddingReplies;
  readonly #options: EndpointEmbedderOptions;
  readonly #closing = new AbortController();
  readonly #pause: Backoff;
  #trial: Promise<void> | undefined;
  #state: 'idle' | 'loading' | 'ready' = 'idle';
  readonly #queries = new ConcurrencyLimit(
    QUERIES_AT_ONCE,
    'texts are waiting for the embedding endpoint',
  );
  /** Runs one call at a time, so that a slow endpoint can answer each in time. */
  readonly #batches = new PromiseQueue();

  constructor(options: EndpointEmbedderOptions) {
    this.model = options.model;
    this.#options = options;
    this.#replies = new EmbeddingReplies(options);
    this.#endpoint = new EndpointClient({
      ...options,
      role: 'embedding endpoint',
      signal: this.#closing.signal,
      maxReplyBytes: REPLY_MAX_BYTES,
    });
    this.#pause = new Backoff(BACKOFF, () => options.clock.monotonic());
  }

  isReady(): boolean {
    return this.#state === 'ready' && !this.#closing.signal.aborted;
  }

  status(): EmbedderStatus {
    const { failure } = this.#pause;
    const runtime = 'endpoint';
    if (this.#state !== 'idle' || failure === undefined) return { state: this.#state, runtime };
    return { state: 'failed', failure, runtime };
  }

  load(): void {
    // The reason has been logged.
    this.#ready().catch(() => {});
  }

  embed(text: string, signal?: AbortSignal): Promise<Vector> {
    return this.#queries.run(async () => {
      await this.#ready();
      const [vector] = await this.#call('query', [text], signal);
      return vector ?? new Float32Array(this.dimensions);
    });
  }

  async embedBatch(
    texts: readonly string[],
    role: TextRole = 'passage',
  ): Promise<readonly Vector[]> {
    const vectors: Vector[] = [];
    if (texts.length > 0) await this.#ready();
    for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) {
      const batch = texts.slice(start, start + TEXTS_AT_ONCE);
      vectors.push(...(await this.#batches.run(() => this.#call(role, batch))));
    }
    return vectors;
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  #ready(): Promise<void> {
    if (this.#state === 'ready') return Promise.resolve();
    this.#trial ??= this.#try().finally(() => {
      this.#trial = undefined;
    });
    return this.#trial;
  }

  async #try(): Promise<void> {
    const ms = this.#pause.remainingMs();
    if (ms > 0) {
      const seconds = Math.ceil(ms / 1000);
      throw unavailable(`${this.#pause.failure} It will be tried again in ${seconds} s.`);
    }
    this.#state = 'loading';
    await this.#call('query', [TRIAL_TEXT]);
    this.#state = 'ready';
  }

  /** Embeds texts in one call. A call that its caller cancelled does not count as a failure of the endpoint. */
  async #call(
    role: TextRole,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Vector[]> {
    try {
      if (this.#closing.signal.aborted) throw new Error('The embedder was closed.');
      signal?.throwIfAborted();
      const { timeoutMs = TIMEOUT_MS } = this.#options;
      const prompt = this.#replies.prompts[role];
      const input = texts.map((text) => cutInput(prompt + text));
      const body = { input, dimensions: EMBEDDING_DIMENSIONS };
      const reply = await this.#endpoint.post({ path: '/embeddings', body, timeoutMs, signal });
      const vectors = this.#replies.readVectors(reply, texts.length);
      if (typeof vectors === 'string') throw this.#endpoint.unusable(vectors);
      this.#pause.succeeded();
      return vectors;
    } catch (error) {
      if (role === 'passage' && (isTextRefusal(error) || (await this.#failsForText(error))))
        throw error;
      const reason = errorReason(error);
      if (signal?.aborted !== true && !this.#closing.signal.aborted) this.#failed(reason, error);
      throw unavailable(reason, error);
    }
  }

  /** Whether only these texts fail: some servers answer 500 or NaN, hang, or hang up for one particular text. */
  async #failsForText(error: unknown): Promise<boolean> {
    if (!mayBeForText(error)) return false;
    return this.#call('query', [TRIAL_TEXT]).then(
      () => true,
      () => false,
    );
  }

  /** Begins a pause. Calls that run at the same time fail together, which counts only once. */
  #failed(reason: string, error: unknown): void {
    this.#state = 'idle';
    if (this.#pause.remainingMs() > 0) return;
    const askedFor = error instanceof ModelCallError ? error.retryAfterMs : undefined;
    const retryInMs = this.#pause.failed(reason, askedFor);
    const { model, logger } = this.#options;
    logger.warn('The embedding endpoint failed.', { model, reason, retryInMs });
  }
}
const TIMEOUT_MS = 10_000;
const BACKOFF = { firstMs: 1000, longestMs: 5 * 60_000 };
/** The contract allows 64. With fewer, a query waits for less time if the endpoint works sequentially. */
const TEXTS_AT_ONCE = 32;
const QUERIES_AT_ONCE = 128;
const TEXT_MAX_CHARACTERS = 8000;
/** Enough for 64 vectors of 4,096 values, which are then refused for their length. */
const REPLY_MAX_BYTES = 8 * 1024 * 1024;

/** Cuts a text to the limit. An empty text becomes a space, because endpoints refuse empty ones. */
function cutInput(text: string): string {
  const head = takeHead(text, TEXT_MAX_CHARACTERS).toWellFormed();
  return head === '' ? ' ' : head;
}

/** Whether an error means that the endpoint works but refuses this text. */
function isTextRefusal(error: unknown): boolean {
  if (!(error instanceof ModelCallError) || error.status === undefined) return false;
  return 400 <= error.status && error.status < 500 && !ENDPOINT_STATUSES.has(error.status);
}

/** Whether a trial must tell if the text is the problem. A request for a pause means that it is the endpoint. */
function mayBeForText(error: unknown): boolean {
  if (!(error instanceof ModelCallError) || error.retryAfterMs !== undefined) return false;
  return error.status === undefined || 500 <= error.status;
}

/** Client errors that do not depend on the text. */
const ENDPOINT_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 429]);

function unavailable(reason: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError('model_unavailable', reason, { cause });
}
