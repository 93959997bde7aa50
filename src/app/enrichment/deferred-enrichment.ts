import type { EmbeddingRate } from '../../domain/stats.js';
import type { Project } from '../projects/project.js';
import type { Enrichment } from './enrichment.js';

/** Enrichment that remembers which projects have work, and begins only when it is told to. */
export class DeferredEnrichment implements Enrichment {
  readonly #enrichment: Enrichment;
  readonly #waiting = new Set<Project>();
  #isStarted = false;

  constructor(enrichment: Enrichment) {
    this.#enrichment = enrichment;
  }

  /** Begins the work that was asked for so far, and from now on all work at once. */
  start(): void {
    this.#isStarted = true;
    for (const project of this.#waiting) this.#enrichment.wake(project);
    this.#waiting.clear();
  }

  wake(project: Project): void {
    if (this.#isStarted) this.#enrichment.wake(project);
    else this.#waiting.add(project);
  }

  progressOf(projectPath: string): EmbeddingRate | undefined {
    return this.#enrichment.progressOf(projectPath);
  }

  isWorking(projectPath: string): boolean {
    return this.#enrichment.isWorking(projectPath);
  }

  release(projectPath: string): Promise<void> {
    for (const project of this.#waiting) {
      if (project.path === projectPath) this.#waiting.delete(project);
    }
    return this.#enrichment.release(projectPath);
  }

  stop(): Promise<void> {
    return this.#enrichment.stop();
  }
}
