import { type EmbeddingRate, embeddingProgress } from '../../domain/stats.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { Project } from '../projects/project.js';

interface EmbeddingLogDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Measures how fast the chunks of a project are embedded, and logs how far that is. */
export class EmbeddingLog {
  readonly #project: Project;
  readonly #deps: EmbeddingLogDeps;
  #work: { readonly since: number; done: number; reportedAt: number } | undefined;

  constructor(project: Project, deps: EmbeddingLogDeps) {
    this.#project = project;
    this.#deps = deps;
  }

  /** Idempotent during the work. */
  begin(): void {
    const now = this.#deps.clock.monotonic();
    this.#work ??= { since: now, done: 0, reportedAt: now };
  }

  /** Since the work began; undefined between runs. */
  rate(): EmbeddingRate | undefined {
    if (this.#work === undefined) return undefined;
    const seconds = (this.#deps.clock.monotonic() - this.#work.since) / 1000;
    return seconds <= 0 ? undefined : { chunksPerSecond: this.#work.done / seconds };
  }

  /** Says how far the work is, at most every 30 seconds. */
  async report(embedded: number): Promise<void> {
    const now = this.#deps.clock.monotonic();
    if (this.#work === undefined) return;
    this.#work.done += embedded;
    if (now - this.#work.reportedAt < REPORT_EVERY_MS) return;
    this.#work.reportedAt = now;
    const status = await this.#project.store.vectors.status();
    const progress = embeddingProgress(status, this.rate());
    this.#deps.logger.info('Embedding chunks.', {
      project: this.#project.path,
      complete: progress.complete,
      pending: progress.pending,
      perSecond: Number(progress.chunksPerSecond?.toFixed(1)),
      secondsLeft: progress.secondsLeft,
    });
  }

  finish(): void {
    if (this.#work === undefined) return;
    this.#deps.logger.info('All chunks are embedded.', {
      project: this.#project.path,
      embedded: this.#work.done,
      seconds: Math.round((this.#deps.clock.monotonic() - this.#work.since) / 1000),
    });
    this.#work = undefined;
  }
}

const REPORT_EVERY_MS = 30_000;
