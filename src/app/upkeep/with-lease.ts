import { type Backoff, backoffMs } from '../../domain/backoff.js';
import { KnowledgeError } from '../../domain/errors.js';
import { STORE_LOCK_TIMEOUT_MS } from '../../domain/limits.js';
import type { Clock } from '../../ports/driven/clock.js';
import { whileRenewing } from '../held-lease.js';
import type { Project } from '../projects/project.js';

interface LeaseRequest {
  readonly project: Project;
  /** Of what is changed, as a word: a caller reads it where another process does not finish. */
  readonly name: string;
}

/**
 * Works while no other process holds the lease, which is given back even if the work fails.
 * @throws KnowledgeError `store_unavailable` where another process holds it for too long
 */
export async function withLease<T>(
  clock: Clock,
  request: LeaseRequest,
  work: () => Promise<T>,
): Promise<T> {
  const { project, name } = request;
  const { leases } = project.store;
  await waitFor(clock, request);
  try {
    return await whileRenewing(clock, { leases, name, durationMs: LEASE_MS }, work);
  } finally {
    await leases.release(name);
  }
}

async function waitFor(clock: Clock, { project, name }: LeaseRequest): Promise<void> {
  const { leases } = project.store;
  const latest = clock.monotonic() + STORE_LOCK_TIMEOUT_MS;
  for (let failures = 1; !(await leases.acquire(name, LEASE_MS)); failures += 1) {
    if (clock.monotonic() >= latest) {
      throw new KnowledgeError(
        'store_unavailable',
        `Another process is changing the ${name} of this project; try again shortly.`,
      );
    }
    await clock.sleep(backoffMs(PAUSES, failures));
  }
}

/** Renewed while the change goes on. Shorter than others wait for it: they go on after a process that held it has died. */
const LEASE_MS = 10_000;
const PAUSES: Backoff = { firstMs: 10, longestMs: 200 };
