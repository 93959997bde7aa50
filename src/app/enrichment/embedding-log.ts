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

  /** Says how far the work is, at most every 30 seconds. */
  async report(embedded: number): Promise<void> {
    const now = this.#deps.clock.monotonic();
    if (this.#work === undefined) return;
    this.#work.done += embedded;
    if (now - this.#work.reportedAt < REPORT_EVERY_MS) return;
    this.#work.reportedAt = now;
    const { complete, pending } = await this.#project.store.vectors.status('content');
    const perSecond = (1000 * this.#work.done) / (now - this.#work.since);
    this.#deps.logger.info('Embedding chunks.', {
      project: this.#project.path,
      ...{ complete, pending },
      perSecond: Number(perSecond.toFixed(1)),
      secondsLeft: Math.round(pending / perSecond),
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
