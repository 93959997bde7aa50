import { AsyncLocalStorage } from 'node:async_hooks';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { KnowledgeError } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import { callStore, type StoreCall } from '../../ports/driven/forwarding-store.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { ReleasableStores } from '../../ports/driven/project-stores.js';
import { LongLists } from './long-lists.js';
import {
  isFunctionArgument,
  type MessageFromThread,
  type MessageToThread,
  type ThreadRequest,
  type ThreadRole,
  type ThreadStart,
} from './messages.js';
import { toPlainError } from './plain-error.js';
import { storeFileAt } from './store-file.js';
import { WatchCell, type Watched } from './watch-cell.js';

/** What the stores of a thread are made with. */
export interface ThreadMeans {
  readonly role: ThreadRole;
  readonly settings: unknown;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopWaiting: AbortSignal;
  /** Every piece of work that cannot be interrupted must be run by this. */
  readonly watched: Watched;
}

/** Serves the requests of the main thread with the stores that `makeStores` makes; call it once. */
export function serveStores(makeStores: (means: ThreadMeans) => ReleasableStores): void {
  if (parentPort === null) throw new Error('This file is the entry point of a worker thread.');
  const server = new StoreServer(parentPort, workerData as ThreadStart, makeStores);
  parentPort.on('message', (message: MessageToThread) => server.receive(message));
}

class StoreServer {
  readonly #port: MessagePort;
  readonly #stores: ReleasableStores;
  readonly #current = new AsyncLocalStorage<number>();
  readonly #stopWaiting = new AbortController();
  /** Calls that wait for the answer of a function of the caller. */
  readonly #asking = new Map<number, Asking>();
  readonly #lists = new LongLists();
  #now = 0;

  constructor(
    port: MessagePort,
    { role, settings, watch }: ThreadStart,
    makeStores: (means: ThreadMeans) => ReleasableStores,
  ) {
    this.#port = port;
    const cell = new WatchCell(watch);
    this.#stores = makeStores({
      role,
      settings,
      clock: { ...UNUSED_CLOCK, now: () => new Date(this.#now) },
      logger: this.#logger(),
      stopWaiting: this.#stopWaiting.signal,
      watched: (work) => cell.during(this.#current.getStore() ?? UNKNOWN, work),
    });
  }

  receive(message: MessageToThread): void {
    if (message.kind === 'stopWaiting') {
      this.#stopWaiting.abort();
    } else if (message.kind === 'next') {
      this.#send(this.#lists.next(message.id));
    } else {
      this.#now = message.now;
      if (message.kind === 'request') this.#serve(message.id, message.request);
      else this.#answerAsking(message);
    }
  }

  #answerAsking(message: MessageToThread & { readonly kind: 'answer' | 'refusal' }): void {
    const asking = this.#asking.get(message.id);
    this.#asking.delete(message.id);
    if (message.kind === 'answer') asking?.resolve(message.value);
    else asking?.reject(new Error('The function of the caller failed.'));
  }

  #serve(id: number, request: ThreadRequest): void {
    let isDone = false;
    const done = (message: MessageFromThread): void => {
      isDone = true;
      this.#send(message);
    };
    this.#current
      .run(id, () => this.#answer(id, request))
      .then(
        (value) => done(this.#lists.first(id, value)),
        (error) => done({ kind: 'failed', id, error: toPlainError(error) }),
      );
    setImmediate(() => {
      if (!isDone) this.#send({ kind: 'waiting', id });
    });
  }

  async #answer(id: number, request: ThreadRequest): Promise<unknown> {
    if (request.kind === 'close') return this.#stores.close();
    const { projectPath } = request;
    if (request.kind === 'release') return this.#stores.release(projectPath);
    if (request.kind === 'open') {
      await this.#stores.open(projectPath);
      return this.#identityOf(projectPath);
    }
    this.#assertIdentity(request);
    const store = await this.#stores.open(projectPath);
    this.#assertIdentity(request);
    return callStore(store, this.#withFunctions(id, request.call));
  }

  /** Before it is opened, which would create it again where it is gone; and after, which may replace it. */
  #assertIdentity({ projectPath, identity }: ThreadRequest & { readonly kind: 'call' }): void {
    if (this.#identityOf(projectPath) === identity) return;
    throw new KnowledgeError('store_unavailable', 'The knowledge store was replaced; try again.');
  }

  #identityOf(projectPath: string): string | undefined {
    return storeFileAt(this.#stores.locationOf(projectPath))?.identity;
  }

  #withFunctions(id: number, call: StoreCall): StoreCall {
    const ask = () =>
      new Promise((resolve, reject) => {
        this.#asking.set(id, { resolve, reject });
        this.#send({ kind: 'asked', id });
      });
    return { ...call, args: call.args.map((value) => (isFunctionArgument(value) ? ask : value)) };
  }

  #send(message: MessageFromThread): void {
    this.#port.postMessage(message);
  }

  #logger(): Logger {
    const write =
      (level: 'debug' | 'info' | 'warn' | 'error') =>
      (message: string, fields: unknown = {}): void =>
        this.#send({ kind: 'log', level, message, fields: plain(fields) });
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    };
  }
}

interface Asking {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** For work that belongs to no request, such as upkeep after a search. */
const UNKNOWN = -1;

const UNUSED_CLOCK = {
  monotonic: () => performance.now(),
  sleep: (): Promise<void> => Promise.reject(new Error('Stores do not sleep.')),
};

/** Errors among the fields become text, because a message to another thread loses their classes. */
function plain(fields: unknown): unknown {
  return JSON.parse(
    JSON.stringify(fields, (_, value) => (value instanceof Error ? toPlainError(value) : value)),
  );
}
