import { LONGEST_LEASE_MS } from '../../domain/limits.js';
import type { Clock } from '../../ports/clock.js';
import { whileRenewing } from '../leases.js';
import type { Project } from '../project.js';

/** Lease held during the first indexing of a project, by which every process that serves the project knows of it. */
const LEASE = { name: 'first indexing', durationMs: LONGEST_LEASE_MS };

/** Whether the first indexing of a project is running, here or in another process. */
export function isFirstIndexing({ store }: Project): Promise<boolean> {
  return store.upkeep.isHeld(LEASE.name);
}

/** Takes the lease in advance, because the first indexing is about to begin. */
export async function announceFirstIndexing({ store }: Project): Promise<void> {
  await store.upkeep.acquire(LEASE.name, LEASE.durationMs);
}

/**
 * Holds the lease while `index` runs. After a failure, the lease is left to expire, because the watcher soon retries.
 */
export async function duringFirstIndexing<T>(
  clock: Pick<Clock, 'sleep'>,
  project: Project,
  index: () => Promise<T>,
): Promise<T> {
  const { upkeep: leases } = project.store;
  await announceFirstIndexing(project);
  const report = await whileRenewing(clock, { leases, ...LEASE }, index);
  await leases.release(LEASE.name);
  return report;
}
