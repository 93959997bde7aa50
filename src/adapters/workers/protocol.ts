import type { Vector } from '../../domain/ranking/vector.js';
import type { EmbedderStatus } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import type { MethodKind } from '../../ports/driving/service-methods.js';

/** `owner`: also does the work that nobody waits for: watching files, vectors, questions. */
export type WorkerRole = 'owner' | 'reader';

/** A call of a service that a worker has. The first argument is the path of a project. */
export interface ServiceCall {
  readonly service: string;
  readonly method: string;
  readonly kind: MethodKind;
  readonly args: readonly unknown[];
  /** Whether the last argument also takes `onProgress` and `signal`. */
  readonly isTracked?: true;
}

/** Whether a call may be run again. */
export function isRead({ kind }: Pick<ServiceCall, 'kind'>): boolean {
  return kind === 'read';
}

export interface ModelState {
  readonly name: string;
  readonly dimensions: number;
  readonly status: EmbedderStatus;
}

export interface WorkerStart {
  readonly role: WorkerRole;
  /** What the entry point of the worker needs to compose its core. */
  readonly settings: unknown;
  readonly model: ModelState;
}

/** What the service asks of a worker. */
export interface WorkerMethods {
  /** Resolves when calls can be taken. */
  start(start: WorkerStart): Promise<void>;
  /**
   * @param sentMs on the clock of `monotonicMs`
   * @throws UnansweredError `late` for a write that was sent so long ago that another worker may have run it
   */
  run(call: ServiceCall, sentMs: number): Promise<unknown>;
  /** Continues the background work of a project. */
  wake(projectPath: string): Promise<void>;
  /** Closes the store of a project. */
  release(projectPath: string): Promise<void>;
  /** Counts the stores in use. */
  totals(): Promise<unknown>;
  /** Rejects if the server of the store cannot be used. */
  checkStore(): Promise<void>;
  modelChanged(model: ModelState): void;
  /** Ends the process. */
  stop(): void;
}

interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a worker asks of the service. */
export interface HostMethods {
  /** A sign of life; so is every other message. */
  beat(rssBytes: number): void;
  log(line: LogLine): void;
  count(name: keyof Metrics, args: readonly unknown[]): void;
  embed(texts: readonly string[], purpose: 'query' | 'batch'): Promise<readonly Vector[]>;
  loadModel(): void;
  /** Makes all other workers close the store of a project until `endClaim`. */
  claim(projectPath: string): Promise<void>;
  endClaim(projectPath: string): Promise<void>;
  /** @param path canonical; the service knows projects by the paths of its callers */
  knowProject(projectPath: string, path: string): void;
}

/** Progress of a call that must not be run twice: it is run from now on. */
export const BEGUN = 'begun';

/** A clock that all processes of a machine share, in milliseconds. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** How often the health of the workers is looked at, and how often they give a sign of life. */
export const TICK_MS = 150;

/** A worker refuses calls that must not be run twice if it comes to read them so late. */
export const LATE_MS = 500;
