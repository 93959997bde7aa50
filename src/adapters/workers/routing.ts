import type { MethodKind } from '../../ports/driving/service-methods.js';
import { BUSY_UTILIZATION, MAX_CALLS, MAX_READS_OF_PROJECT } from './limits.js';
import type { WorkerProcess } from './worker-process.js';

/** What routing has to know of a call. */
export interface RoutedCall {
  readonly kind: MethodKind;
  readonly project: string;
}

export interface RoutingState {
  readonly workers: readonly WorkerProcess[];
  /** Those of them that have given no sign of life lately. */
  readonly silent: readonly WorkerProcess[];
  /** Whether the owner has had a call of this project lately, and so does its background work. */
  readonly isKnownToOwner: (project: string) => boolean;
}

/**
 * The worker that should run a call now; undefined if the call has to wait. Reads of a project that the owner knows go to
 * whichever worker has least to do. Everything else goes to the owner; while that is stuck, being replaced, or
 * busy with upkeep of another project, to a reader instead, upkeep excepted.
 */
export function workerFor(call: RoutedCall, state: RoutingState): WorkerProcess | undefined {
  if (state.silent.some((worker) => worker.callCountOf(call.project) > 0)) return undefined;
  const free = state.workers.filter((worker) => isFree(worker, call, state));
  const owner = free.find(({ role }) => role === 'owner');
  const readers = free.filter(({ role }) => role === 'reader');
  if (call.kind === 'read' && state.isKnownToOwner(call.project)) {
    const isOwnerForReads = owner !== undefined && !hasUpkeep(owner);
    return leastBusy(isOwnerForReads ? [...readers, owner] : readers);
  }
  if (call.kind === 'upkeep') return owner;
  if (owner !== undefined && !hasUpkeepOfOthers(owner, call.project)) return owner;
  return owner !== undefined || isOwnerAway(state) ? leastBusy(readers) : undefined;
}

/** Reads are the calls that may be run again. */
export function isRead({ kind }: { readonly kind: MethodKind }): boolean {
  return kind === 'read' || kind === 'background';
}

function isFree(worker: WorkerProcess, call: RoutedCall, { silent }: RoutingState): boolean {
  if (!worker.isReady || silent.includes(worker) || worker.callCount >= MAX_CALLS) return false;
  return !isRead(call) || worker.callCountOf(call.project) < MAX_READS_OF_PROJECT;
}

/** Whether the owner is silent or being replaced, and does not just have many calls. */
function isOwnerAway({ workers, silent }: RoutingState): boolean {
  return !workers.some(
    (worker) => worker.role === 'owner' && worker.isReady && !silent.includes(worker),
  );
}

function hasUpkeep(worker: WorkerProcess): boolean {
  return worker.calls.some(({ kind }) => kind === 'upkeep');
}

function hasUpkeepOfOthers(worker: WorkerProcess, project: string): boolean {
  return worker.calls.some((call) => call.kind === 'upkeep' && call.project !== project);
}

/** The first wins ties; undefined if there is none. */
function leastBusy(workers: readonly WorkerProcess[]): WorkerProcess | undefined {
  return workers.reduce<WorkerProcess | undefined>(
    (best, worker) => (best !== undefined && load(best) <= load(worker) ? best : worker),
    undefined,
  );
}

/** An owner with much background work counts as if it had calls. */
function load({ callCount, role, utilization }: WorkerProcess): number {
  const isBusy = role === 'owner' && utilization > BUSY_UTILIZATION;
  return callCount + (isBusy ? MAX_READS_OF_PROJECT : 0);
}
