import { LONGEST_LEASE_MS } from '../../domain/limits.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import { whileRenewing } from '../leases.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import { WATCH_LEASE } from '../watch/watch-lease.js';
import { VECTORS_LEASE } from './background-loop.js';
import type { Enrichment } from './enrichment.js';

interface MissingVectorsDeps {
  readonly projects: Pick<Projects, 'open'>;
  readonly enrichment: Enrichment;
  readonly embedder: Pick<EmbeddingModel, 'status'>;
  readonly clock: Clock;
}

/** `elsewhere`: another process makes them, and one more waits for its turn. */
type Completion = 'complete' | 'elsewhere' | 'stalled' | 'stopped';

/** Leaves the vectors that a project lacks to other processes, or makes them in one that does nothing else. */
export class MissingVectors {
  readonly #deps: MissingVectorsDeps;

  constructor(deps: MissingVectorsDeps) {
    this.#deps = deps;
  }

  /** Whether a service that watches the project has begun to make them, for which this waits a little. */
  async areTakenOver(projectPath: string): Promise<boolean> {
    const { projects, clock } = this.#deps;
    const { upkeep } = (await projects.open(projectPath)).store;
    if (!(await upkeep.isHeld(WATCH_LEASE.name))) return false;
    for (let waited = 0; waited < TAKEN_OVER_WITHIN_MS; waited += POLL_MS) {
      if (await upkeep.isHeld(VECTORS_LEASE)) return true;
      await clock.sleep(POLL_MS);
    }
    return false;
  }

  /**
   * Makes vectors until none is missing, or until nothing has come of it for a while. Of several processes one makes them, a
   * second one waits for what is added after the first has looked, and any other ends at once.
   */
  async complete(projectPath: string, stopping: AbortSignal): Promise<Completion> {
    const { projects, clock } = this.#deps;
    const project = await projects.open(projectPath);
    const { upkeep: leases } = project.store;
    if (!(await leases.acquire(NEXT_LEASE.name, NEXT_LEASE.durationMs))) return 'elsewhere';
    const progress = new Progress(project, this.#deps);
    const isMyTurn = await whileRenewing(clock, { leases, ...NEXT_LEASE }, async () => {
      while (await leases.isHeld(VECTORS_LEASE))
        if (!(await progress.goesOn(stopping))) return false;
      return true;
    });
    // Released before the search for missing vectors, which then finds what processes that could not take it have added.
    await leases.acquire(NEXT_LEASE.name, 0);
    if (isMyTurn) await this.#make(project, progress, stopping);
    if (stopping.aborted) return 'stopped';
    return (await progress.missing()) === 0 ? 'complete' : 'stalled';
  }

  async #make(project: Project, progress: Progress, stopping: AbortSignal): Promise<void> {
    const { enrichment } = this.#deps;
    enrichment.schedule(project);
    while (enrichment.isWorking(project.path) && (await progress.goesOn(stopping)));
  }
}

/** Whether fewer and fewer vectors are missing, whichever process makes them. */
class Progress {
  readonly #project: Project;
  readonly #deps: MissingVectorsDeps;
  #fewest = Number.POSITIVE_INFINITY;
  #since: number;

  constructor(project: Project, deps: MissingVectorsDeps) {
    this.#project = project;
    this.#deps = deps;
    this.#since = deps.clock.monotonic();
  }

  async missing(): Promise<number> {
    return (await this.#project.store.vectors.status('content')).pending;
  }

  /** Waits a little; returns whether it is worth going on. A download counts as progress. */
  async goesOn(stopping: AbortSignal): Promise<boolean> {
    const { clock, embedder } = this.#deps;
    await clock.sleep(LOOK_EVERY_MS, stopping);
    const missing = await this.missing();
    if (missing < this.#fewest || embedder.status().state === 'loading') {
      this.#fewest = Math.min(missing, this.#fewest);
      this.#since = clock.monotonic();
    }
    return !stopping.aborted && clock.monotonic() - this.#since < STALLED_AFTER_MS;
  }
}

/** Whether a process makes vectors for a project now. */
export function isEmbedding({ store }: Project): Promise<boolean> {
  return store.upkeep.isHeld(VECTORS_LEASE);
}

const NEXT_LEASE = { name: 'vectors next', durationMs: LONGEST_LEASE_MS };
/** A service looks at the files of a project every second or two. */
const TAKEN_OVER_WITHIN_MS = 3_000;
const POLL_MS = 100;
const LOOK_EVERY_MS = 1_000;
const STALLED_AFTER_MS = 2 * 60_000;
