import type { Clock } from '../../ports/driven/clock.js';
import { CLAIM_PATIENCE_MS } from './limits.js';
import type { WorkerProcess } from './worker-process.js';

export interface ProjectClaimsOptions {
  readonly clock: Clock;
  readonly workers: () => readonly WorkerProcess[];
  /** The canonical path of a project. */
  readonly pathOf: (project: string) => string;
  /** Called when a claim has ended. */
  readonly onFree: () => void;
}

/**
 * Claims of workers to be the only one that uses a project, while they move or replace the files of its store. All paths
 * are canonical.
 */
export class ProjectClaims {
  readonly #options: ProjectClaimsOptions;
  readonly #claimants = new Map<string, WorkerProcess>();
  /** Workers that wait to begin a claim; what they have of the project waits with them. */
  readonly #waiting = new Set<WorkerProcess>();

  constructor(options: ProjectClaimsOptions) {
    this.#options = options;
  }

  /** The only worker that may be given calls of a project; undefined if any may. */
  claimantOf(path: string): WorkerProcess | undefined {
    return this.#claimants.get(path);
  }

  /** Resolves when all others have finished what they had of the project and closed its store, or after a while. */
  async begin(path: string, claimant: WorkerProcess): Promise<void> {
    const { clock, workers, pathOf } = this.#options;
    const deadline = clock.monotonic() + CLAIM_PATIENCE_MS;
    this.#waiting.add(claimant);
    await this.#until(() => !this.#claimants.has(path), deadline);
    this.#waiting.delete(claimant);
    if (!workers().includes(claimant)) return;
    this.#claimants.set(path, claimant);
    const others = () => workers().filter((worker) => worker !== claimant && worker.isReady);
    const uses = (worker: WorkerProcess) =>
      !this.#waiting.has(worker) && worker.calls.some(({ project }) => pathOf(project) === path);
    const isUsed = () => others().some(uses);
    await this.#until(() => !isUsed(), deadline);
    const closed = others().map((worker) => worker.request({ name: 'release', projectPath: path }));
    await Promise.race([Promise.allSettled(closed), clock.sleep(CLAIM_PATIENCE_MS)]);
  }

  /** Ends a claim, unless another worker has it by now. */
  end(path: string, claimant: WorkerProcess): void {
    if (this.#claimants.get(path) !== claimant) return;
    this.#claimants.delete(path);
    this.#options.onFree();
  }

  endAllOf(worker: WorkerProcess): void {
    for (const path of this.#claimants.keys()) this.end(path, worker);
  }

  async #until(isTrue: () => boolean, deadline: number): Promise<void> {
    const { clock } = this.#options;
    while (!isTrue() && clock.monotonic() < deadline) await clock.sleep(LOOK_AGAIN_MS);
  }
}

const LOOK_AGAIN_MS = 20;
