import type { Clock } from '../ports/driven/clock.js';
import type { Leases } from '../ports/driven/leases.js';

export interface HeldLease {
  readonly leases: Leases;
  readonly name: string;
  readonly durationMs: number;
}

/**
 * Does what a lease was taken for, and renews it meanwhile, so that it may be much shorter than the work: what a process
 * that died had begun is soon taken over. The lease is kept.
 */
export async function whileRenewing<T>(
  clock: Pick<Clock, 'sleep'>,
  lease: HeldLease,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const renewing = renewUntil(ended.signal, clock, lease);
  try {
    return await work();
  } finally {
    ended.abort();
    await renewing;
  }
}

/** A renewal that fails is tried again; nothing breaks if another process takes the lease. */
async function renewUntil(
  ended: AbortSignal,
  clock: Pick<Clock, 'sleep'>,
  { leases, name, durationMs }: HeldLease,
): Promise<void> {
  for (;;) {
    await clock.sleep(durationMs / RENEWALS, ended);
    if (ended.aborted) return;
    await leases.acquire(name, durationMs).catch(() => false);
  }
}

/** As often as a lease is renewed before it would expire. */
const RENEWALS = 3;
