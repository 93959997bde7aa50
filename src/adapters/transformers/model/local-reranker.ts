import { join, resolve } from 'node:path';
import { errorReason, KnowledgeError } from '../../../domain/errors.js';
import { LOCAL_RERANKED_RESULTS, LOCAL_RERANKING_TIMEOUT_MS } from '../../../domain/limits.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import type { Reranker, RerankQuery } from '../../../ports/reranker.js';
import { downloadModel } from '../download/model-download.js';
import { hasEveryFile, requiredFiles } from '../download/model-files.js';
import { RerankingThread } from './reranking-thread.js';

export interface LocalRerankerOptions {
  /** `<owner>/<name>` on the hub and below the models directory. */
  readonly model: string;
  readonly modelsDirectory: string;
  /** Base URL of the hub or of a mirror with its layout. */
  readonly hub: string;
  readonly downloads: 'allowed' | 'forbidden';
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the thread when aborted. */
  readonly signal: AbortSignal;
  /** The folder of onnxruntime-node. Without it, the model runs in WebAssembly. */
  readonly nativeRuntime?: string | undefined;
  /** The compiled entry point of the thread; default: the one next to this file. */
  readonly workerFile?: URL;
}

/**
 * Reranks with a cross-encoder in a separate thread. The first search starts the thread; it ends after five minutes
 * without a search, to free its memory. Only `load` downloads the model.
 */
export class LocalReranker implements Reranker {
  readonly maxDocuments = LOCAL_RERANKED_RESULTS;
  readonly timeoutMs = LOCAL_RERANKING_TIMEOUT_MS;
  readonly #options: LocalRerankerOptions;
  readonly #directory: string;
  #thread: Promise<RerankingThread> | undefined;
  #resting = new AbortController();

  constructor(options: LocalRerankerOptions) {
    this.#options = options;
    this.#directory = resolve(options.modelsDirectory);
  }

  async rerank(query: RerankQuery, signal?: AbortSignal): Promise<readonly number[]> {
    const thread = await this.#started();
    this.#resting.abort();
    try {
      return await thread.score(query, signal);
    } finally {
      void this.#unloadUnused();
    }
  }

  async load(): Promise<void> {
    const missing = requiredFiles(this.#folder);
    if (missing.length > 0) await this.#download(missing);
    await this.#started();
  }

  get #folder(): string {
    return join(this.#directory, this.#options.model);
  }

  #started(): Promise<RerankingThread> {
    this.#thread ??= this.#start(this.#directory).catch((error: unknown) => {
      this.#thread = undefined;
      throw unavailable(errorReason(error), error);
    });
    return this.#thread;
  }

  async #start(modelsDirectory: string): Promise<RerankingThread> {
    const { model, nativeRuntime, signal, workerFile = WORKER_FILE } = this.#options;
    if (!hasEveryFile(join(modelsDirectory, model))) throw new Error(missingFiles(this.#folder));
    const place = { modelsDirectory, model, nativeRuntime };
    const thread = await RerankingThread.start(place, { workerFile, signal });
    void thread.ended.then(() => {
      this.#thread = undefined;
    });
    return thread;
  }

  async #download(files: ReturnType<typeof requiredFiles>): Promise<void> {
    if (this.#options.downloads === 'forbidden') throw unavailable(missingFiles(this.#folder));
    const download = {
      ...this.#options,
      modelsDirectory: this.#directory,
      onProgress: () => {},
      checkSettings: async () => {},
      tryOut: async (directory: string) => (await this.#start(directory)).close(),
    };
    await downloadModel(download, files).catch((error: unknown) => {
      throw unavailable(errorReason(error), error);
    });
  }

  async #unloadUnused(): Promise<void> {
    this.#resting.abort();
    this.#resting = new AbortController();
    const { signal } = this.#resting;
    await this.#options.clock.sleep(IDLE_MS, signal);
    // If the load fails in the meantime, the search that waits for it reports the error.
    if (!signal.aborted) await (await this.#thread?.catch(() => undefined))?.close();
  }
}

const WORKER_FILE = new URL('./reranking-worker.js', import.meta.url);
const IDLE_MS = 5 * 60_000;

function missingFiles(folder: string): string {
  return `files are missing in ${folder}; "knowledge-store models pull" downloads them`;
}

function unavailable(reason: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError('model_unavailable', `The reranker is not available: ${reason}.`, {
    cause,
  });
}
