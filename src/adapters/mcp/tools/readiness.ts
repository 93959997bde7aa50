import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../../app/service/service.js';

/** Waits until a project can be searched, but only for a limited time. */
export type Readiness = (projectPath: string) => Promise<void>;

/**
 * Returns a function that starts the first indexing of a project if necessary, and waits briefly for it and for a model
 * that is being loaded. Once a project was ready, the function no longer checks it.
 */
export function readiness(services: Service): Readiness {
  const ready = new Set<string>();
  return async (projectPath) => {
    if (!ready.has(projectPath) && (await becomesReady(services, projectPath))) {
      ready.add(projectPath);
    }
  };
}

async function becomesReady({ indexing, status }: Service, projectPath: string): Promise<boolean> {
  const deadline = performance.now() + READINESS_WAIT_MS;
  while (performance.now() < deadline) {
    const { state } = status.model();
    if ((await indexing.begin({ projectPath })) === undefined && state !== 'loading') return true;
    await sleep(READINESS_POLL_MS);
  }
  return false;
}

const READINESS_WAIT_MS = 5_000;
const READINESS_POLL_MS = 100;
