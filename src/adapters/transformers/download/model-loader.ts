import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { KnowledgeError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { DownloadStatus } from '../../../ports/embedder.js';
import type { Logger } from '../../../ports/logger.js';
import { Backoff, type BackoffOptions } from '../../../shared/backoff.js';
import type { ModelRuntime } from '../model/model-runtime.js';
import { readModelSettings } from '../model/model-settings.js';
import type { ModelThread, ThreadPriority } from '../model/model-thread.js';
import { HubRefusal, offlineHint } from './file-download.js';
import { downloadModel, FolderRefusal } from './model-download.js';
import { hasEveryFile, missingFiles } from './model-files.js';

interface ModelSource {
  readonly model: string;
  readonly modelsDirectory: string;
  readonly hub: string;
  readonly downloads: 'allowed' | 'forbidden';
  readonly workerFile: URL;
  readonly runtime: ModelRuntime;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `foreground`: a caller waits and reports a failed load, so it is logged only at the level info. */
  readonly batches?: 'foreground' | 'background' | undefined;
}

/** Starts threads with the model. Missing files are downloaded once for all threads. */
export class ModelLoader {
  readonly #source: ModelSource;
  readonly #folder: string;
  readonly #pause: Backoff;
  readonly #closing = new AbortController();
  #fetching: Promise<void> | undefined;
  #download: DownloadStatus | undefined;
  #hasLoaded = false;
  #lackedFiles = false;

  constructor(source: ModelSource) {
    this.#source = source;
    this.#folder = join(source.modelsDirectory, source.model);
    this.#pause = new Backoff(BACKOFF, () => source.clock.monotonic());
    // Turns off the warning about many listeners, because each thread adds one.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Whether files are missing and must not be downloaded. */
  get isAbsent(): boolean {
    return this.#source.downloads === 'forbidden' && !this.hasFiles;
  }

  get isFetching(): boolean {
    return this.#fetching !== undefined;
  }

  /** How much of the current file has arrived; undefined unless a download is running. */
  get download(): DownloadStatus | undefined {
    return this.#download;
  }

  /** Whether all required files exist, so that nothing has to be downloaded. */
  get hasFiles(): boolean {
    return hasEveryFile(this.#folder);
  }

  /** Why the model cannot be used, as a sentence; undefined after a success and before the first load. */
  get failure(): string | undefined {
    const reason = this.#pause.failure ?? (this.isAbsent ? this.#offline : undefined);
    return reason === undefined ? undefined : toSentence(reason);
  }

  get #offline(): string {
    return `files are missing in ${this.#folder}, and downloads are forbidden; put them there, or allow downloads`;
  }

  /**
   * Why no load may begin now; undefined if one may. Loads are refused after `close`, and for a while after a failure,
   * unless missing files caused it and have arrived since.
   */
  get refusal(): KnowledgeError | undefined {
    if (this.#closing.signal.aborted) return unavailable('the embedder was closed');
    const { failure } = this.#pause;
    if (failure === undefined || this.#pause.remainingMs() === 0) return undefined;
    return this.#lackedFiles && this.hasFiles ? undefined : unavailable(failure);
  }

  /**
   * Starts a thread with the model loaded, after downloading missing files.
   * @throws KnowledgeError `model_unavailable`
   */
  async startThread(priority: ThreadPriority): Promise<ModelThread> {
    try {
      const { problem } = this.#source.runtime;
      if (problem !== undefined) throw new Error(problem);
      this.#fetching ??= this.#fetch().finally(() => {
        this.#fetching = undefined;
        this.#download = undefined;
      });
      await this.#fetching;
      const thread = await this.#start(this.#source.modelsDirectory, priority);
      this.#pause.succeeded();
      this.#reportLoaded();
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

  /** Downloads missing files. */
  async #fetch(): Promise<void> {
    const files = missingFiles(this.#folder);
    if (files.length === 0) return;
    if (this.#source.downloads === 'forbidden') throw new Error(this.#offline);
    const download = {
      ...this.#source,
      signal: this.#closing.signal,
      onProgress: (progress: DownloadStatus) => {
        this.#download = progress;
      },
      checkSettings: readModelSettings,
      tryOut: async (modelsDirectory: string) => {
        await (await this.#start(modelsDirectory, 'normal')).close();
      },
    };
    await downloadModel(download, files).catch((error: unknown) => {
      if (
        error instanceof HubRefusal ||
        error instanceof FolderRefusal ||
        this.#closing.signal.aborted
      )
        throw error;
      throw new Error(`${reasonWithCause(error)}. Alternatives:\n${offlineHint(this.#folder)}`);
    });
  }

  async #start(modelsDirectory: string, priority: ThreadPriority): Promise<ModelThread> {
    const { model, workerFile, runtime } = this.#source;
    const { signal } = this.#closing;
    const settings = await readModelSettings(join(modelsDirectory, model));
    return runtime.start({ priority, model, modelsDirectory, settings, workerFile, signal });
  }

  #reportLoaded(): void {
    if (this.#hasLoaded) return;
    this.#hasLoaded = true;
    const { logger, model, runtime } = this.#source;
    logger.info('The embedding model is loaded.', { model, runtime: runtime.name });
  }

  #failed(error: unknown): KnowledgeError {
    if (this.#closing.signal.aborted) return unavailable('the embedder was closed', error);
    this.#lackedFiles = !this.hasFiles;
    const reason = reasonWithCause(error);
    const { logger, model, modelsDirectory, batches } = this.#source;
    // Several threads may have waited for the same load, whose failure counts once.
    if (this.#pause.remainingMs() === 0) {
      const retryInMs = this.#pause.failed(reason);
      const fields = { model, modelsDirectory, reason, retryInMs };
      const level = batches === 'foreground' ? 'info' : 'warn';
      logger[level]('The embedding model could not be loaded.', fields);
    }
    return unavailable(reason, error);
  }
}

const BACKOFF: BackoffOptions = { firstMs: 1000, longestMs: 5 * 60_000 };

/** Includes the cause of an error, because the errors of `fetch` have the actual reason there. */
function reasonWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

function unavailable(reason: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError('model_unavailable', toSentence(reason), { cause });
}

function toSentence(reason: string): string {
  return `The embedding model is not available: ${reason.replace(/\.$/, '')}.`;
}
