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
  /** Whether calls of this project came to an end before. */
  readonly isHarmless: (project: string) => boolean;
}

/**
 * The worker that should run a call now; undefined if the call has to wait. Reads of a project that the owner knows go to
 * whichever worker has least to do. Everything else goes to the owner; while that is stuck, being replaced, or busy with
 * upkeep of another project, writes go to a reader instead. Without a reader that responds, all goes to the owner. While
 * workers are silent, the last one that responds is left to projects that have done no harm before.
 */
export function workerFor(call: RoutedCall, state: RoutingState): WorkerProcess | undefined {
  if (state.silent.some((worker) => worker.callCountOf(call.project) > 0)) return undefined;
  const there = state.workers.filter((worker) => worker.isReady && !state.silent.includes(worker));
  const isLast = there.length === 1 && state.silent.length > 0;
  if (isLast && !state.isHarmless(call.project)) return undefined;
  const readers = there.filter(({ role }) => role === 'reader');
  const owner = there.find(({ role }) => role === 'owner');
  return leastBusy(candidates(call, { owner, readers, state }).filter((one) => isFree(one, call)));
}

/** Reads are the calls that may be run again. */
export function isRead({ kind }: { readonly kind: MethodKind }): boolean {
  return kind === 'read' || kind === 'background';
}

interface Responding {
  readonly owner: WorkerProcess | undefined;
  readonly readers: readonly WorkerProcess[];
  readonly state: Pick<RoutingState, 'isKnownToOwner'>;
}

/** The workers that may run a call, busy or not. */
function candidates(
  { kind, project }: RoutedCall,
  { owner, readers, state }: Responding,
): readonly WorkerProcess[] {
  if (owner === undefined) return kind === 'upkeep' ? [] : readers;
  if (readers.length === 0 || kind === 'upkeep' || kind === 'background') return [owner];
  if (kind === 'read' && state.isKnownToOwner(project))
    return hasUpkeep(owner) ? readers : [...readers, owner];
  return hasUpkeepOfOthers(owner, project) ? readers : [owner];
}

/** Writes of a project are not kept waiting by its reads or its upkeep. */
function isFree(worker: WorkerProcess, { kind, project }: RoutedCall): boolean {
  if (worker.callCount >= MAX_CALLS) return false;
  return kind === 'write' || worker.callCountOf(project) < MAX_READS_OF_PROJECT;
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
