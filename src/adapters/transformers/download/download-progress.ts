import type { Clock } from '../../../ports/driven/clock.js';
import type { DownloadStatus } from '../../../ports/driven/embedder.js';
import type { Logger } from '../../../ports/driven/logger.js';

export interface ProgressTopic {
  readonly model: string;
  readonly hub: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Logs the progress of a download: its start, each quarter of a large file, and its end. */
export class DownloadProgress {
  readonly #topic: ProgressTopic;
  #startedAt = 0;
  #bytes = 0;
  #quarters = 0;
  #current: DownloadStatus | undefined;

  constructor(topic: ProgressTopic) {
    this.#topic = topic;
  }

  /** How much of a file of known size has arrived, while it does. */
  get current(): DownloadStatus | undefined {
    return this.#current;
  }

  start(): void {
    const { model, hub, clock, logger } = this.#topic;
    this.#startedAt = clock.monotonic();
    logger.info('Downloading the embedding model.', { model, hub });
  }

  /** `done` of `total` bytes of the current file have arrived. */
  advance(done: number, total: number | undefined): void {
    if (total === undefined) return;
    this.#current = { done, total };
    if (total < LARGE_FILE_BYTES) return;
    const quarters = Math.floor((4 * done) / total);
    if (quarters <= this.#quarters || quarters === 4) return;
    this.#quarters = quarters;
    this.#topic.logger.info('The download of the embedding model continues.', {
      percent: quarters * 25,
      megabytes: megabytes(done),
    });
  }

  /** A file of this many bytes is complete. */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.#current = undefined;
  }

  end(): void {
    const { model, clock, logger } = this.#topic;
    const seconds = Math.round(clock.monotonic() - this.#startedAt) / 1000;
    logger.info('The embedding model has been downloaded.', {
      model,
      megabytes: megabytes(this.#bytes),
      seconds,
    });
  }
}

const LARGE_FILE_BYTES = 2_000_000;

function megabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}
