import type { EmbeddingRate } from '../../domain/stats.js';
import type { Project } from '../projects/project.js';

/** Background work that makes a project's chunks easier to find. */
export interface Enrichment {
  /** Says that a project may have chunks to work on; returns at once. Idempotent. */
  wake(project: Project): void;
  /** How fast the chunks of a project are embedded just now; undefined while none are. */
  progressOf(projectPath: string): EmbeddingRate | undefined;
  /** Whether there is something to do for a project, or a failure after which it is tried again. */
  isWorking(projectPath: string): boolean;
  /** Ends the work on a project and forgets it until it is woken again. */
  release(projectPath: string): Promise<void>;
  /** Ends the work; what is under way is finished or given up without a trace. */
  stop(): Promise<void>;
}

export interface DeferredEnrichment extends Enrichment {
  /** Begins the work that was asked for so far, and from now on all work at once. */
  start(): void;
}

/** Enrichment that remembers which projects have work, and begins only when it is told to. */
export function deferred(enrichment: Enrichment): DeferredEnrichment {
  const waiting = new Map<string, Project>();
  let isStarted = false;
  return {
    start: () => {
      isStarted = true;
      for (const project of waiting.values()) enrichment.wake(project);
    },
    wake: (project) => {
      if (isStarted) enrichment.wake(project);
      else waiting.set(project.path, project);
    },
    progressOf: (projectPath) => enrichment.progressOf(projectPath),
    isWorking: (projectPath) => enrichment.isWorking(projectPath),
    release: (projectPath) => {
      waiting.delete(projectPath);
      return enrichment.release(projectPath);
    },
    stop: () => enrichment.stop(),
  };
}
