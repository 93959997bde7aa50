import { KnowledgeError } from '../../src/domain/errors.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { normalize, type Vector } from '../../src/domain/ranking/vector.js';
import type { EmbedderState, EmbedderStatus, EmbeddingModel } from '../../src/ports/embedder.js';

/**
 * An embedder whose vectors can be told by hand: each word of a text adds 1 to the dimension that
 * `dimensionOf` gives it, and the sum is scaled to length 1; so the cosine of two texts is about the
 * share of their words that are the same. A text without words points to dimension 0. Words that are
 * given a meaning count as the word that they mean.
 */
export class FakeEmbedder implements EmbeddingModel {
  readonly model: string;
  readonly dimensions = EMBEDDING_DIMENSIONS;
  /** Every text that was embedded, in order. */
  readonly embedded: string[] = [];
  readonly #meanings: Readonly<Record<string, string>>;
  #state: EmbedderState = 'idle';
  #isClosed = false;
  #failure: KnowledgeError | undefined;
  #gate: Gate | undefined;

  constructor(
    options: { readonly model?: string; readonly meanings?: Record<string, string> } = {},
  ) {
    this.model = options.model ?? 'fake/words';
    this.#meanings = options.meanings ?? {};
  }

  /** A fake that is loaded already. */
  static ready(options: ConstructorParameters<typeof FakeEmbedder>[0] = {}): FakeEmbedder {
    const embedder = new FakeEmbedder(options);
    embedder.recover();
    return embedder;
  }

  /** From now on no call returns until `release`; an embedder that is not loaded stays `loading` until then. */
  hold(): void {
    this.#gate ??= closedGate();
  }

  release(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  /** From now on every call is rejected, and it counts as not loaded: `failed`, or `absent`. */
  fail(state: 'failed' | 'absent' = 'failed'): void {
    this.#state = state;
    this.#failure = unavailable('the fake was told to fail');
  }

  /** From now on it is loaded and works. */
  recover(): void {
    this.#state = 'ready';
    this.#failure = undefined;
  }

  isReady(): boolean {
    return this.#state === 'ready' && !this.#isClosed;
  }

  status(): EmbedderStatus {
    return { state: this.#state, failure: this.#failure?.message };
  }

  load(): void {
    this.#loaded().catch(() => {});
  }

  async embed(text: string, signal?: AbortSignal): Promise<Vector> {
    await orAborted(this.#loaded(), signal);
    return this.#vectorOf(text);
  }

  async embedBatch(texts: readonly string[]): Promise<readonly Vector[]> {
    const vectors: Vector[] = [];
    if (texts.length > 0) await this.#loaded();
    for (const text of texts) {
      await yieldToEventLoop();
      await this.#passable();
      vectors.push(this.#vectorOf(text));
    }
    return vectors;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.release();
  }

  async #loaded(): Promise<void> {
    if (this.#state === 'idle' && !this.#isClosed) this.#state = 'loading';
    await this.#passable();
    this.#state = 'ready';
  }

  async #passable(): Promise<void> {
    this.#refuseBroken();
    await this.#gate?.passed;
    this.#refuseBroken();
  }

  #refuseBroken(): void {
    if (this.#isClosed) throw unavailable('the embedder was closed');
    if (this.#failure !== undefined) throw this.#failure;
  }

  #vectorOf(text: string): Vector {
    this.embedded.push(text);
    const vector = new Float32Array(EMBEDDING_DIMENSIONS);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const dimension = dimensionOf(this.#meanings[word] ?? word);
      vector[dimension] = (vector[dimension] as number) + 1;
    }
    return normalize(vector) ?? Float32Array.of(1, ...vector.slice(1));
  }
}

/** The dimension of a word: FNV-1a over its UTF-16 units. */
function dimensionOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash % EMBEDDING_DIMENSIONS;
}

interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
}

function closedGate(): Gate {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

async function orAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const aborted = new Promise<never>((_, reject) => {
    const refuse = (): void => reject(unavailable('the call was cancelled'));
    if (signal?.aborted === true) refuse();
    signal?.addEventListener('abort', refuse, { once: true });
  });
  await Promise.race([work, aborted]);
}

function unavailable(reason: string): KnowledgeError {
  return new KnowledgeError(
    'model_unavailable',
    `The embedding model is not available: ${reason}.`,
  );
}
