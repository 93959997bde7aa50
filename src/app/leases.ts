import { KnowledgeError } from '../domain/errors.js';
import { STORE_LOCK_TIMEOUT_MS } from '../domain/limits.js';
import type { Clock } from '../ports/clock.js';
import type { Leases } from '../ports/project-stores.js';
import { type BackoffOptions, backoffMs } from '../shared/backoff.js';
import { KeyedMutex } from '../shared/concurrency.js';
import type { Project } from './project.js';

/** Runs changes of one kind one at a time per project, across all processes that serve it. */
export class ExclusiveChanges {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #inProcess = new KeyedMutex();

  /** @param name what is changed, for the message if another process does not finish */
  constructor(clock: Clock, name: string) {
    this.#clock = clock;
    this.#name = name;
  }

  /** @throws KnowledgeError `store_unavailable` if another process takes too long */
  run<T>({ path, store }: Project, work: () => Promise<T>): Promise<T> {
    const lease = { leases: store.upkeep, name: this.#name, durationMs: LEASE_MS };
    return this.#inProcess.runExclusive(path, () => withLease(this.#clock, lease, work));
  }
}

/** Runs work while no other process holds the lease. Releases the lease even if the work fails. */
async function withLease<T>(clock: Clock, lease: LeaseTerms, work: () => Promise<T>): Promise<T> {
  await waitFor(clock, lease);
  try {
    return await whileRenewing(clock, lease, work);
  } finally {
    // The work decides the result. If the lease cannot be released, it expires.
    await lease.leases.release(lease.name).catch(() => undefined);
  }
}

async function waitFor(clock: Clock, { leases, name, durationMs }: LeaseTerms): Promise<void> {
  const latest = clock.monotonic() + STORE_LOCK_TIMEOUT_MS;
  for (let failures = 1; !(await leases.acquire(name, durationMs)); failures += 1) {
    if (clock.monotonic() >= latest) {
      throw new KnowledgeError(
        'store_unavailable',
        `Another process is changing the ${name} of this project; try again shortly.`,
      );
    }
    await clock.sleep(backoffMs(BACKOFF, failures));
  }
}

/**
 * Lease for a change, renewed during the change. It is much shorter than the time that others wait, so that they can
 * continue if its holder dies, or if a database fails before the lease is released.
 */
const LEASE_MS = 5_000;
const BACKOFF: BackoffOptions = { firstMs: 10, longestMs: 200 };

interface LeaseTerms {
  readonly leases: Leases;
  readonly name: string;
  readonly durationMs: number;
}

/**
 * Runs work and keeps renewing its lease. The lease can then be short, so that others soon take over from a process
 * that died. Does not release the lease.
 */
export async function whileRenewing<T>(
  clock: Pick<Clock, 'sleep'>,
  lease: LeaseTerms,
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

/**
 * Renews the lease until `ended` is aborted. Failures are ignored: nothing breaks if another process takes the lease.
 */
async function renewUntil(
  ended: AbortSignal,
  clock: Pick<Clock, 'sleep'>,
  { leases, name, durationMs }: LeaseTerms,
): Promise<void> {
  for (;;) {
    await clock.sleep(durationMs / RENEWALS, ended);
    if (ended.aborted) return;
    await leases.acquire(name, durationMs).catch(() => false);
  }
}

/** How often a lease is renewed within its duration. */
const RENEWALS = 3;

/** A lease that is requested until it is held, and then renewed. */
export class HeldLease {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #terms: LeaseTerms;
  #askAt = 0;
  #isHeld = false;

  constructor(clock: Pick<Clock, 'monotonic'>, terms: LeaseTerms) {
    this.#clock = clock;
    this.#terms = terms;
  }

  /**
   * Returns whether this process holds the lease. May be called often, because it asks the store only when renewal is
   * due. If the store fails, the lease counts as held: nothing breaks if two processes hold it.
   */
  async hold(): Promise<boolean> {
    const now = this.#clock.monotonic();
    if (now < this.#askAt) return this.#isHeld;
    const { leases, name, durationMs } = this.#terms;
    this.#askAt = now + durationMs / RENEWALS;
    this.#isHeld = await leases.acquire(name, durationMs).catch(() => true);
    return this.#isHeld;
  }

  /** Releases the lease if it is held. Never rejects. */
  async release(): Promise<void> {
    const { leases, name } = this.#terms;
    if (this.#isHeld) await leases.release(name).catch(() => undefined);
  }
}
