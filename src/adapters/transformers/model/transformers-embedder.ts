import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { EMBEDDING_DIMENSIONS } from '../../../domain/limits.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import { takeHead } from '../../../domain/text.js';
import type { Clock } from '../../../ports/clock.js';
import type { EmbedderStatus, EmbeddingModel, TextRole } from '../../../ports/embedder.js';
import type { Logger } from '../../../ports/logger.js';
import { ConcurrencyLimit } from '../../../shared/concurrency.js';
import { ModelLoader } from '../download/model-loader.js';
import { EmbeddingThreads } from './embedding-threads.js';
import { ModelRuntime, type RuntimeChoice } from './model-runtime.js';
import { findNativeRuntime } from './network.js';

export interface TransformersEmbedderOptions {
  /** `<owner>/<name>` on the hub and below the models directory: letters, digits, `.`, `_`, `-`. */
  readonly model: string;
  /** Contains the files of the model in `<owner>/<name>`, which the first download creates. */
  readonly modelsDirectory: string;
  /** Base URL of the hub or of a mirror with its layout. */
  readonly hub: string;
  /** Whether missing files may be downloaded. */
  readonly downloads: 'allowed' | 'forbidden';
  readonly logger: Logger;
  readonly clock: Clock;
  /** The compiled entry point of the worker threads; default: the one next to this file. */
  readonly workerFile?: URL;
  /** Default `wasm`. */
  readonly runtime?: RuntimeChoice | undefined;
  /** Finds the folder of the native runtime; default: searches where Node packages are installed. */
  readonly findNative?: () => string | undefined;
  /** Whether a caller waits for batches; default `background`. */
  readonly batches?: BatchMode | undefined;
  /** Maximum number of threads for batches; default: as many as the machine can run. */
  readonly batchThreads?: number;
}

/**
 * Runs a quantized model in worker threads, in WebAssembly or on the native runtime: one thread for queries, and some
 * for batches, so that neither waits for the other. Background batches run at the lowest priority. Only the first
 * 100,000 characters of a text are embedded. Running calls keep the process alive; idle threads do not.
 */
export class TransformersEmbedder implements EmbeddingModel {
  readonly model: string;
  readonly dimensions = EMBEDDING_DIMENSIONS;
  readonly #runtime: ModelRuntime;
  readonly #loader: ModelLoader;
  readonly #threads: EmbeddingThreads;
  readonly #queries = new ConcurrencyLimit(
    MAX_WAITING_QUERIES,
    'texts are waiting for the embedding model',
  );

  constructor(options: TransformersEmbedderOptions) {
    this.model = options.model;
    this.#runtime = new ModelRuntime({
      choice: options.runtime ?? 'wasm',
      findNative: options.findNative ?? findNativeRuntime,
      logger: options.logger,
    });
    this.#loader = new ModelLoader({
      ...options,
      modelsDirectory: resolve(options.modelsDirectory),
      runtime: this.#runtime,
      workerFile: options.workerFile ?? new URL('./embedding-worker.js', import.meta.url),
    });
    const { batches = 'background', clock, batchThreads = threadsFor(batches) } = options;
    this.#threads = new EmbeddingThreads(this.#loader, {
      batchThreads,
      clock,
      batchPriority: batches === 'foreground' ? 'normal' : 'background',
    });
  }

  isReady(): boolean {
    return this.#threads.isReady;
  }

  status(): EmbedderStatus {
    const { name: runtime } = this.#runtime;
    const chunksPerSecond = threadsFor('background') / SECONDS_PER_CHUNK[runtime];
    return { ...this.#state(), runtime, chunksPerSecond };
  }

  #state(): EmbedderStatus {
    if (this.isReady()) return { state: 'ready' };
    const { isFetching, isAbsent, download, failure } = this.#loader;
    if (this.#threads.isLoading || isFetching) return { state: 'loading', download };
    if (isAbsent) return { state: 'absent', failure };
    return { state: failure === undefined ? 'idle' : 'failed', failure };
  }

  load(which: 'any' | 'installed' = 'any'): void {
    if (which === 'any' || this.#loader.hasFiles) this.#threads.load();
  }

  embed(text: string, signal?: AbortSignal): Promise<Vector> {
    const request = { role: 'query', text: shorten(text) } as const;
    return this.#queries.run(() => this.#threads.embed(request, signal));
  }

  async embedBatch(
    texts: readonly string[],
    role: TextRole = 'passage',
  ): Promise<readonly Vector[]> {
    return Promise.all(texts.map((text) => this.#threads.embed({ role, text: shorten(text) })));
  }

  hurry(isWaitedFor: boolean): void {
    const extra = threadsFor('foreground') - threadsFor('background');
    this.#threads.setExtraThreads(isWaitedFor ? extra : 0);
  }

  async close(): Promise<void> {
    await this.#loader.close();
    await this.#threads.close();
  }
}

/** Seconds that one thread takes per chunk, with the default model on a common machine. */
const SECONDS_PER_CHUNK = { wasm: 0.2, native: 0.04 };
/** About as many short queries as can be embedded in one second. */
const MAX_WAITING_QUERIES = 128;
const EMBEDDED_CHARACTERS = 100_000;

function shorten(text: string): string {
  return takeHead(text, EMBEDDED_CHARACTERS);
}

/** `foreground`: a caller waits for the vectors and does nothing else meanwhile. */
export type BatchMode = 'foreground' | 'background';

/** A machine, or the part of it that this process may use. */
interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/**
 * How many threads embed batches. In the foreground one per core; in the background one fewer, and at most 8. Their
 * models may take at most a quarter of the memory. In the background a core stays free for queries: while another
 * thread loads its model, they would otherwise wait longer than a search does.
 */
export function threadsFor(
  mode: BatchMode,
  { cores, memoryBytes }: Machine = thisMachine(),
): number {
  const fitting = Math.floor(memoryBytes / 4 / BYTES_PER_THREAD);
  const wanted = mode === 'foreground' ? cores : Math.min(cores - 1, BACKGROUND_THREADS_MAX);
  return Math.max(1, Math.min(wanted, fitting));
}

const BACKGROUND_THREADS_MAX = 8;
/** Measured with the default model: 160 to 185 MB (docs/operations.md, "Threads"). */
const BYTES_PER_THREAD = 190 * 2 ** 20;

function thisMachine(): Machine {
  const limit = process.constrainedMemory() ?? 0;
  const total = totalmem();
  return {
    cores: availableParallelism(),
    memoryBytes: limit > 0 ? Math.min(limit, total) : total,
  };
}
