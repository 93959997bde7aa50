import type { Clock } from '../../ports/driven/clock.js';
import type { WorkerProcess } from './worker-process.js';

type ClaimingWorker = Pick<WorkerProcess, 'isReady' | 'calls' | 'channel'>;

interface ProjectClaimsOptions {
  readonly clock: Clock;
  readonly workers: () => readonly ClaimingWorker[];
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
  readonly #claimants = new Map<string, ClaimingWorker>();
  /** Workers that wait to begin a claim; what they have of the project waits with them. */
  readonly #waiting = new Set<ClaimingWorker>();

  constructor(options: ProjectClaimsOptions) {
    this.#options = options;
  }

  /** Whether a worker may be given calls of a project. */
  admits(path: string, worker: ClaimingWorker): boolean {
    return (this.#claimants.get(path) ?? worker) === worker;
  }

  /** Resolves when all others have finished what they had of the project and closed its store, or after a while. */
  async begin(path: string, claimant: ClaimingWorker): Promise<void> {
    const { clock, workers, pathOf } = this.#options;
    const deadline = clock.monotonic() + CLAIM_PATIENCE_MS;
    this.#waiting.add(claimant);
    await this.#until(() => !this.#claimants.has(path), deadline);
    this.#waiting.delete(claimant);
    if (!workers().includes(claimant)) return;
    this.#claimants.set(path, claimant);
    const others = () => workers().filter((worker) => worker !== claimant && worker.isReady);
    const uses = (worker: ClaimingWorker) =>
      !this.#waiting.has(worker) &&
      [...worker.calls].some(({ project }) => pathOf(project) === path);
    await this.#until(() => !others().some(uses), deadline);
    const closed = others().map(({ channel }) => channel.call('release', [path]));
    await Promise.race([Promise.allSettled(closed), clock.sleep(CLAIM_PATIENCE_MS)]);
  }

  /** Ends a claim, unless another worker has it by now. */
  end(path: string, claimant: ClaimingWorker): void {
    if (this.#claimants.get(path) !== claimant) return;
    this.#claimants.delete(path);
    this.#options.onFree();
  }

  endAllOf(worker: ClaimingWorker): void {
    for (const path of this.#claimants.keys()) this.end(path, worker);
  }

  async #until(isTrue: () => boolean, deadline: number): Promise<void> {
    const { clock } = this.#options;
    while (!isTrue() && clock.monotonic() < deadline) await clock.sleep(LOOK_AGAIN_MS);
  }
}

const CLAIM_PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 20;
