import type { MethodKind } from '../../ports/driving/service-methods.js';
import type { WorkerRole } from './protocol.js';

/** What routing has to know of a call. */
export interface RoutedCall {
  readonly kind: MethodKind;
  readonly project: string;
}

/** What routing has to know of a worker. */
export interface RoutedWorker {
  readonly role: WorkerRole;
  readonly isReady: boolean;
  /** Whether it has given no sign of life lately. */
  readonly isSilent: boolean;
  /** The calls that it has not answered. */
  readonly calls: ReadonlySet<RoutedCall>;
}

interface RoutingState<Worker extends RoutedWorker> {
  readonly workers: readonly Worker[];
  /** Whether the owner has had a call of this project lately, and so does its background work. */
  readonly isKnownToOwner: (project: string) => boolean;
  /** Whether calls of this project came to an end before. */
  readonly isHarmless: (project: string) => boolean;
}

/**
 * The worker that should run a call now; undefined if the call has to wait. Upkeep goes to a reader, everything else avoids
 * the workers with upkeep of other projects. Reads of a project that the owner knows go to whichever worker has least to do,
 * other calls to the owner, and to a reader while the owner does not respond. While workers are silent, the last one that
 * responds is left to projects that have done no harm before.
 */
export function workerFor<Worker extends RoutedWorker>(
  call: RoutedCall,
  state: RoutingState<Worker>,
): Worker | undefined {
  const silent = state.workers.filter(({ isSilent }) => isSilent);
  if (silent.some((worker) => callCountOf(worker, call.project) > 0)) return undefined;
  const there = state.workers.filter(({ isReady, isSilent }) => isReady && !isSilent);
  const isLast = there.length === 1 && silent.length > 0;
  if (isLast && !state.isHarmless(call.project)) return undefined;
  return leastBusy(candidates(call, there, state).filter((worker) => hasPlace(worker, call)));
}

/** The workers that may run a call, full or not, readers first. */
function candidates<Worker extends RoutedWorker>(
  { kind, project }: RoutedCall,
  there: readonly Worker[],
  { isKnownToOwner }: RoutingState<Worker>,
): readonly Worker[] {
  const withoutUpkeep = there.filter((worker) => !hasUpkeepOfOthers(worker, project));
  const able = kind === 'upkeep' || withoutUpkeep.length === 0 ? there : withoutUpkeep;
  const readers = able.filter(({ role }) => role === 'reader');
  const owners = able.filter(({ role }) => role === 'owner');
  if (kind === 'read' && isKnownToOwner(project)) return [...readers, ...owners];
  const [first, second] = kind === 'upkeep' ? [readers, owners] : [owners, readers];
  return first.length > 0 ? first : second;
}

/** Writes of a project are not kept waiting by its reads or its upkeep. */
function hasPlace(worker: RoutedWorker, { kind, project }: RoutedCall): boolean {
  return kind === 'write' || callCountOf(worker, project) < MAX_CALLS_OF_PROJECT;
}

function hasUpkeepOfOthers({ calls }: RoutedWorker, project: string): boolean {
  return [...calls].some((call) => call.kind === 'upkeep' && call.project !== project);
}

function callCountOf({ calls }: RoutedWorker, project: string): number {
  return [...calls].filter((call) => call.project === project).length;
}

/** The first wins ties; undefined if there is none. */
function leastBusy<Worker extends RoutedWorker>(workers: readonly Worker[]): Worker | undefined {
  return workers.toSorted((a, b) => a.calls.size - b.calls.size)[0];
}

/** Calls of one project that one worker has at once, except writes: they keep the others waiting. */
const MAX_CALLS_OF_PROJECT = 4;
