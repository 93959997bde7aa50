import { KnowledgeError } from '../../domain/errors.js';
import { STATEMENT_LIMIT_MS, STORE_CALLS_MAX_WAITING } from '../../domain/limits.js';
import type { Clock } from '../../ports/driven/clock.js';
import { forwardingStore, isWrite, type StoreCall } from '../../ports/driven/forwarding-store.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { ProjectStore, ReleasableStores } from '../../ports/driven/project-stores.js';
import { toSentArguments } from './arguments.js';
import type { Place, ThreadRole } from './messages.js';
import type { MakeStores } from './nearby-store.js';
import { NearbyStores } from './nearby-stores.js';
import { storeFileAt } from './store-file.js';
import { StoreThread } from './store-thread.js';
import { ThreadGroup } from './thread-group.js';

export interface ThreadedProjectStoresOptions {
  /** The compiled entry point of the threads, which calls `serveStores`. */
  readonly workerFile: URL;
  /** What the entry point needs to make its stores, as plain data. */
  readonly settings: unknown;
  /** Most threads that read; one more writes. */
  readonly readers: number;
  /** Where the stores in the threads keep a project: a file, which `open` creates. */
  readonly locationOf: (projectPath: string) => string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Once it is aborted, a lock that another process holds is no longer waited for. */
  readonly stopWaiting: AbortSignal;
  /** Makes stores for the short calls of searches in small stores; by default these are made in threads, too. */
  readonly makeNearby?: MakeStores;
  /** How long one statement of a reader may take; default 20 s. */
  readonly statementLimitMs?: number;
  /** Most calls that wait, for the readers and for the writer each; default 512. */
  readonly maxWaiting?: number;
}

/**
 * Hosts stores in worker threads, for all projects the same: one that opens and writes, and several that
 * read. Callers hold stores whose calls are passed on as plain data.
 */
export class ThreadedProjectStores implements ReleasableStores {
  readonly #options: ThreadedProjectStoresOptions;
  readonly #writer: ThreadGroup;
  readonly #readers: ThreadGroup;
  readonly #nearby: NearbyStores | undefined;
  readonly #known = new Map<string, Known>();
  readonly #opening = new Map<string, Promise<ProjectStore>>();
  #closing: Promise<void> | undefined;

  constructor(options: ThreadedProjectStoresOptions) {
    this.#options = options;
    const { maxWaiting = STORE_CALLS_MAX_WAITING, statementLimitMs = STATEMENT_LIMIT_MS } = options;
    this.#writer = new ThreadGroup({
      size: 1,
      callsPerThread: WRITES_AT_ONCE,
      maxWaiting,
      onThreadEnd: 'reject',
      startThread: (hooks) => this.#startThread('writer', hooks),
    });
    this.#readers = new ThreadGroup({
      size: options.readers,
      maxWaiting,
      statementLimitMs,
      onThreadEnd: 'retry',
      startThread: (hooks) => this.#startThread('reader', hooks),
    });
    const { makeNearby: makeStores, locationOf } = options;
    if (makeStores !== undefined) {
      const callsOfWriter = () => this.#writer.calls;
      this.#nearby = new NearbyStores({ makeStores, locationOf, callsOfWriter });
    }
    options.stopWaiting.addEventListener('abort', () => this.#stopWaiting(), { once: true });
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    const known = this.#known.get(projectPath);
    if (known !== undefined && this.#isCurrent(known, projectPath)) return known.store;
    const opening = this.#opening.get(projectPath) ?? this.#startOpening(projectPath);
    return opening;
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    this.#assertOpen();
    const file = storeFileAt(this.locationOf(projectPath));
    return file !== undefined ? this.open(projectPath) : undefined;
  }

  locationOf(projectPath: string): string {
    return this.#options.locationOf(projectPath);
  }

  waitingCalls(): number {
    return this.#writer.waiting + this.#readers.waiting;
  }

  async release(projectPath: string): Promise<void> {
    this.#known.delete(projectPath);
    const request = { kind: 'release', projectPath } as const;
    await Promise.all([
      this.#writer.toAll(request),
      this.#readers.toAll(request),
      this.#nearby?.release(projectPath),
    ]);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stopWaiting();
    await this.#nearby?.close();
    await this.#readers.close();
    await this.#writer.close();
  }

  #assertOpen(): void {
    if (this.#closing !== undefined)
      throw new KnowledgeError('store_unavailable', 'The service is stopping.');
  }

  #isCurrent({ identity }: Known, projectPath: string): boolean {
    return storeFileAt(this.locationOf(projectPath))?.identity === identity;
  }

  #startOpening(projectPath: string): Promise<ProjectStore> {
    const opening = this.#openByWriter(projectPath).finally(() =>
      this.#opening.delete(projectPath),
    );
    this.#opening.set(projectPath, opening);
    return opening;
  }

  async #openByWriter(projectPath: string): Promise<ProjectStore> {
    const identity = String(await this.#writer.run({ request: { kind: 'open', projectPath } }));
    const known = this.#known.get(projectPath);
    if (known?.identity === identity) return known.store;
    const store = forwardingStore((call) => this.#forward({ projectPath, identity }, call));
    this.#known.set(projectPath, { identity, store });
    return store;
  }

  #forward(place: Place, call: StoreCall): Promise<unknown> {
    const inThread = () => this.#callThread(place, call);
    return this.#nearby?.run({ place, call, inThread }) ?? inThread();
  }

  #callThread(place: Place, call: StoreCall): Promise<unknown> {
    const sent = toSentArguments(call.args);
    const request = { kind: 'call', ...place, call: { ...call, args: sent.args } } as const;
    const group = isWrite(call) ? this.#writer : this.#readers;
    return group.run({ ...sent, request, preference: numberOf(place.projectPath) });
  }

  #startThread(
    role: ThreadRole,
    hooks: Pick<ConstructorParameters<typeof StoreThread>[0], 'onFree' | 'onEnd'>,
  ): StoreThread {
    const { workerFile, settings, clock, logger, stopWaiting } = this.#options;
    const now = () => clock.now().getTime();
    return new StoreThread({ workerFile, role, settings, now, logger, stopWaiting, ...hooks });
  }

  #stopWaiting(): void {
    this.#writer.stopWaiting();
    this.#readers.stopWaiting();
  }
}

/** Enough for the sources that are written in one transaction: to send them one by one takes longer than writing them. */
const WRITES_AT_ONCE = 32;

interface Known {
  readonly identity: string;
  readonly store: ProjectStore;
}

/** The same number for the same text. */
function numberOf(text: string): number {
  let number = 0;
  for (let i = 0; i < text.length; i += 1) number = (number * 31 + text.charCodeAt(i)) >>> 0;
  return number;
}
