import { join } from 'node:path';
import type { Backoff } from '../../../domain/backoff.js';
import { KnowledgeError } from '../../../domain/errors.js';
import { RetryPause } from '../../../domain/retry-pause.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { DownloadStatus } from '../../../ports/driven/embedder.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { readModelSettings } from '../model/model-settings.js';
import { ModelThread, type ThreadPriority } from '../model/model-thread.js';
import { DownloadProgress } from './download-progress.js';
import type { DownloadTimeouts } from './file-download.js';
import { downloadModel } from './model-download.js';
import { filesToFetch, hasEveryFile, type ModelFile } from './model-files.js';

export interface ModelSource {
  readonly model: string;
  readonly modelsDirectory: string;
  readonly hub: string;
  readonly downloads: 'allowed' | 'forbidden';
  readonly timeouts: DownloadTimeouts;
  readonly workerFile: URL;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts threads with the model. Its files are checked first, and downloaded only once for all threads. */
export class ModelLoader {
  readonly #source: ModelSource;
  readonly #pause: RetryPause;
  readonly #closing = new AbortController();
  #fetching: Promise<void> | undefined;
  #progress: DownloadProgress | undefined;
  #isAbsent: boolean;

  constructor(source: ModelSource) {
    this.#source = source;
    this.#pause = new RetryPause(PAUSES, () => source.clock.monotonic());
    this.#isAbsent = this.#lacksFiles();
  }

  /** Files are missing and must not be downloaded; checked at the start and after each failure. */
  get isAbsent(): boolean {
    return this.#isAbsent;
  }

  get isFetching(): boolean {
    return this.#fetching !== undefined;
  }

  /** How much of a file of known size has arrived, while it is downloaded. */
  get download(): DownloadStatus | undefined {
    return this.#progress?.current;
  }

  /** Whether all files are there, so that nothing has to be downloaded. */
  get hasFiles(): boolean {
    const { modelsDirectory, model } = this.#source;
    return hasEveryFile(join(modelsDirectory, model));
  }

  /** Why the model cannot be used, as a sentence; undefined after a success and before the first load. */
  get failure(): string | undefined {
    const reason = this.#pause.failure ?? (this.#isAbsent ? OFFLINE : undefined);
    return reason === undefined ? undefined : sentenceOf(reason);
  }

  /** @throws KnowledgeError `model_unavailable` until the pause after a failure has passed, and after `close` */
  refuseDuringPause(): void {
    if (this.#closing.signal.aborted) throw unavailable('the embedder was closed');
    const ms = this.#pause.remainingMs();
    if (ms > 0) {
      const seconds = Math.ceil(ms / 1000);
      throw unavailable(`${this.#pause.failure}; it will be tried again in ${seconds} s`);
    }
  }

  /**
   * A thread with the model loaded.
   * @throws KnowledgeError `model_unavailable`
   */
  async startThread(priority: ThreadPriority): Promise<ModelThread> {
    try {
      await this.#ensureFiles();
      const thread = await this.#start(this.#source.modelsDirectory, priority);
      this.#pause.succeeded();
      this.#isAbsent = false;
      return thread;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Stops running loads and downloads, and every thread that was started. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the embedder was closed'));
    await this.#fetching?.catch(() => {});
  }

  #lacksFiles(): boolean {
    return this.#source.downloads === 'forbidden' && !this.hasFiles;
  }

  #ensureFiles(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
      this.#progress = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    const { modelsDirectory, model, downloads } = this.#source;
    const files = await filesToFetch(join(modelsDirectory, model));
    if (files.length === 0) return;
    if (downloads === 'forbidden') throw new Error(OFFLINE);
    await this.#download(files);
  }

  async #download(files: readonly ModelFile[]): Promise<void> {
    const progress = new DownloadProgress(this.#source);
    this.#progress = progress;
    await downloadModel(
      {
        ...this.#source,
        progress,
        signal: this.#closing.signal,
        tryOut: async (modelsDirectory) => {
          await (await this.#start(modelsDirectory, 'normal')).close();
        },
      },
      files,
    );
  }

  async #start(modelsDirectory: string, priority: ThreadPriority): Promise<ModelThread> {
    const { model, workerFile } = this.#source;
    const { signal } = this.#closing;
    const settings = await readModelSettings(join(modelsDirectory, model));
    return ModelThread.start({ priority, model, modelsDirectory, settings, workerFile, signal });
  }

  #failed(error: unknown): KnowledgeError {
    const reason = reasonWithCause(error);
    if (this.#closing.signal.aborted) return unavailable('the embedder was closed', error);
    const { logger, model, modelsDirectory } = this.#source;
    this.#isAbsent = this.#lacksFiles();
    // Both queues may have waited for the same load.
    if (this.#pause.remainingMs() === 0) {
      const retryInMs = this.#pause.failed(reason);
      logger.warn('The embedding model could not be loaded.', {
        model,
        modelsDirectory,
        reason,
        retryInMs,
      });
    }
    return unavailable(reason, error);
  }
}

const PAUSES: Backoff = { firstMs: 1000, longestMs: 5 * 60_000 };

const OFFLINE =
  'files are missing or damaged and downloads are forbidden; put the files there or allow downloads';

/** The errors of `fetch` have the actual reason in their cause. */
function reasonWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

function unavailable(reason: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError('model_unavailable', sentenceOf(reason), { cause });
}

function sentenceOf(reason: string): string {
  return `The embedding model is not available: ${reason}.`;
}
