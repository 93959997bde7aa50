import { resolve } from 'node:path';
import { headOf } from '../../../domain/chunks/text.js';
import { KnowledgeError } from '../../../domain/errors.js';
import { EMBEDDING_DIMENSIONS } from '../../../domain/limits.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { Embedder, EmbedderStatus } from '../../../ports/driven/embedder.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { DownloadTimeouts } from '../download/file-download.js';
import { isModelName } from '../download/model-files.js';
import { ModelLoader } from '../download/model-loader.js';
import { backgroundThreads, EmbeddingPool } from './embedding-pool.js';
import { EmbeddingQueue } from './embedding-queue.js';

export interface TransformersEmbedderOptions {
  /** `<owner>/<name>` on the hub and below the models directory: letters, digits, `.`, `_`, `-`. */
  readonly model: string;
  /** Contains a folder `<owner>/<name>` with the files of the model; the first download creates it. */
  readonly modelsDirectory: string;
  /** Base URL of the hub or of a mirror with its layout; default https://huggingface.co. */
  readonly hub?: string;
  /** Whether missing files may be downloaded. */
  readonly downloads: 'allowed' | 'forbidden';
  readonly logger: Logger;
  readonly clock: Clock;
  /** How long a download waits for the hub; default 30 s for a response and for each part of its body. */
  readonly timeouts?: DownloadTimeouts;
  /** The compiled entry point of the worker threads; default is the one next to this file. */
  readonly workerFile?: URL;
  /** Most threads for batches; default is what this machine bears. */
  readonly batchThreads?: number;
}

/**
 * Runs the quantized model of @xenova/transformers in WebAssembly, in worker threads: one for queries,
 * and some at the lowest priority for batches, so that neither waits for the other. Each thread has its
 * own copy of the model and is started by its first call. Only the first 100,000 characters of a
 * text are embedded. Running calls keep the process alive, idle threads do not.
 */
export class TransformersEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions = EMBEDDING_DIMENSIONS;
  readonly #loader: ModelLoader;
  readonly #queries: EmbeddingQueue;
  readonly #batches: EmbeddingPool;
  #waiting = 0;

  /** @throws RangeError when `model` is not `<owner>/<name>` */
  constructor(options: TransformersEmbedderOptions) {
    if (!isModelName(options.model))
      throw new RangeError(`"${options.model}" is not the name of a model: <owner>/<name>.`);
    this.model = options.model;
    this.#loader = new ModelLoader({
      ...options,
      modelsDirectory: resolve(options.modelsDirectory),
      hub: options.hub ?? DEFAULT_HUB,
      timeouts: options.timeouts ?? DEFAULT_TIMEOUTS,
      workerFile: options.workerFile ?? new URL('./embedding-worker.js', import.meta.url),
    });
    this.#queries = new EmbeddingQueue(this.#loader, 'normal');
    this.#batches = new EmbeddingPool(this.#loader, {
      threads: options.batchThreads ?? backgroundThreads(),
      clock: options.clock,
    });
  }

  isReady(): boolean {
    return this.#queries.state === 'ready' || this.#batches.isReady;
  }

  status(): EmbedderStatus {
    if (this.isReady()) return { state: 'ready' };
    const { isFetching, isAbsent, download, failure } = this.#loader;
    if (this.#queries.state === 'loading' || isFetching) return { state: 'loading', download };
    if (isAbsent) return { state: 'absent', failure };
    return { state: failure === undefined ? 'idle' : 'failed', failure };
  }

  load(which: 'any' | 'installed' = 'any'): void {
    if (which === 'installed' && !this.#loader.hasFiles) return;
    // The loader has logged the reason.
    this.#queries.load().catch(() => {});
  }

  async embed(text: string, signal?: AbortSignal): Promise<Vector> {
    if (this.#waiting >= MAX_WAITING_QUERIES) throw overloaded();
    this.#waiting += 1;
    try {
      const [vector] = await this.#embedQuery(shortened(text), signal);
      return vector ?? new Float32Array(this.dimensions);
    } finally {
      this.#waiting -= 1;
    }
  }

  async embedBatch(texts: readonly string[]): Promise<readonly Vector[]> {
    return texts.length === 0 ? [] : this.#batches.embed(texts.map(shortened));
  }

  async close(): Promise<void> {
    await this.#loader.close();
    await Promise.all([this.#queries.close(), this.#batches.close()]);
  }

  /** While the thread for queries is not loaded, one for batches that is takes its place. */
  #embedQuery(text: string, signal: AbortSignal | undefined): Promise<readonly Vector[]> {
    if (this.#queries.state === 'ready' || !this.#batches.isReady) {
      return this.#queries.embed({ role: 'query', texts: [text] }, signal);
    }
    this.load();
    return this.#batches.embedQuery(text, signal);
  }
}

const DEFAULT_HUB = 'https://huggingface.co';
const DEFAULT_TIMEOUTS: DownloadTimeouts = { answerMs: 30_000, stallMs: 30_000 };
/** About as many short queries as can be embedded in one second. */
const MAX_WAITING_QUERIES = 128;
const EMBEDDED_CHARACTERS = 100_000;

function shortened(text: string): string {
  return headOf(text, EMBEDDED_CHARACTERS);
}

function overloaded(): KnowledgeError {
  return new KnowledgeError(
    'overloaded',
    'Too many texts are waiting for the embedding model; try again shortly.',
  );
}
