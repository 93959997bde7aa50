import { reasonOf } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';

export interface IdleProjectsOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly logger: Logger;
  /** How long a project is kept that nobody uses. */
  readonly idleMs: number;
  readonly isBusy: (projectPath: string) => boolean;
  /** Gives up what is kept for a project. */
  readonly release: (projectPath: string) => Promise<void>;
}

/** Releases the projects that nobody has used for a while. */
export class IdleProjects {
  readonly #options: IdleProjectsOptions;
  /** When each project was last used, on the monotonic clock; the least recent first. */
  readonly #usedAt = new Map<string, number>();
  readonly #stopping = new AbortController();
  #isWatching = false;

  constructor(options: IdleProjectsOptions) {
    this.#options = options;
  }

  use(projectPath: string): void {
    if (this.#stopping.signal.aborted) return;
    this.#usedAt.delete(projectPath);
    this.#usedAt.set(projectPath, this.#options.clock.monotonic());
    if (!this.#isWatching) void this.#watch();
  }

  /** Releases no more projects. */
  stop(): void {
    this.#stopping.abort();
    this.#usedAt.clear();
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    const { clock, idleMs } = this.#options;
    for (;;) {
      const [oldest] = this.#usedAt;
      if (oldest === undefined) break;
      const [projectPath, usedAt] = oldest;
      const due = usedAt + idleMs - clock.monotonic();
      if (due > 0) await clock.sleep(due, this.#stopping.signal);
      else await this.#release(projectPath);
    }
    this.#isWatching = false;
  }

  async #release(projectPath: string): Promise<void> {
    const { isBusy, release, logger } = this.#options;
    if (isBusy(projectPath)) return this.use(projectPath);
    this.#usedAt.delete(projectPath);
    try {
      await release(projectPath);
    } catch (error) {
      logger.warn('The background work of an idle project could not be stopped.', {
        project: projectPath,
        reason: reasonOf(error),
      });
    }
  }
}
