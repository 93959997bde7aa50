import type { Operations, ServedOperations } from '../../adapters/cli/command-line-parts.js';
import type { Environment } from '../../app/config/read-config.js';
import type { CallOptions } from '../../app/ingestion/source-reader.js';
import type { Route } from '../../app/routes/route.js';
import {
  type ErrorCode,
  isErrorCode,
  KnowledgeError,
  systemErrorCode,
} from '../../domain/errors.js';
import { type AnswerLine, newConnections, OPERATIONS_PATH, readLines, send } from './exchange.js';
import { logFile } from './log.js';
import { dataFolder } from './place.js';
import { SERVED } from './served.js';
import type { LocalService } from './start.js';

interface ClientOptions {
  readonly env: Environment;
  /** Composes the service in this process. */
  readonly open: () => Promise<Operations>;
  /** Finds the service again, or starts a new one. */
  readonly find: () => Promise<LocalService | undefined>;
}

/**
 * The operations of a local service. If the service ends during an operation that only reads, the next one is asked. If
 * the service may not read or write something, this process does it instead, because the service may have been started
 * in a sandbox.
 */
export function servedOperations(service: LocalService, options: ClientOptions): Operations {
  const client = new Client(service, options);
  const served =
    <Name extends keyof ServedOperations>(name: Name) =>
    (...args: Parameters<ServedOperations[Name]>) =>
      client.ask(name, args) as ReturnType<ServedOperations[Name]>;
  const { env, open } = options;
  return {
    call: served('call'),
    beginIndexing: served('beginIndexing'),
    ingest: served('ingest'),
    rebuild: served('rebuild'),
    findLines: served('findLines'),
    skipped: served('skipped'),
    loadModel: served('loadModel'),
    modelStatus: served('modelStatus'),
    makeVectors: served('makeVectors'),
    knownForPrompt: served('knownForPrompt'),
    askInEveryWay: served('askInEveryWay'),
    writeSettings: async (projectPath) => (await open()).writeSettings(projectPath),
    hasLanguageModel: async () => (await readConfig(env)).languageModel !== undefined,
    installedModel: async () => {
      const { installedModel } = await import('../installed-model.js');
      return installedModel(await readConfig(env));
    },
    service: { pid: service.handshake.pid, log: logFile(dataFolder(env)) },
    stop: () => client.stop(),
  };
}

async function readConfig(env: Environment) {
  return (await import('../../app/config/read-config.js')).readConfig(env);
}

/** Whether an operation may be repeated if its answer was lost. */
async function canRepeat(name: keyof ServedOperations, [route]: readonly unknown[]) {
  const { repeats } = SERVED[name];
  if (repeats !== 'by route') return repeats === 'safely';
  const { findRoute } = await import('../../app/routes/find-route.js');
  const { hybridRoutes } = await import('../../app/routes/hybrid-api.js');
  const called = findRoute<RouteSummary>(hybridRoutes, String(route))?.route;
  return called?.method === 'GET' || called?.repeats === 'safely';
}

type RouteSummary = Pick<Route, 'method' | 'path' | 'repeats'>;

class Client {
  readonly #options: ClientOptions;
  readonly #connections = newConnections();
  #service: LocalService | undefined;
  #inProcess: Promise<Operations> | undefined;

  constructor(service: LocalService, options: ClientOptions) {
    this.#service = service;
    this.#options = options;
  }

  async ask(name: keyof ServedOperations, args: readonly unknown[]) {
    const request = toRequest(name, args);
    for (let attempt = 1; this.#service !== undefined && request.body !== undefined; attempt += 1) {
      try {
        return await this.#askOnce(this.#service, request);
      } catch (error) {
        if (isOnlyElsewhere(error)) break;
        if (error instanceof KnowledgeError) throw error;
        const isUnsent = NOT_SENT.has(systemErrorCode(error));
        const isSafe = isUnsent || (await canRepeat(name, args));
        if (attempt > 1 || !isSafe) throw new Error(LOST, { cause: error });
        this.#service = await this.#options.find();
      }
    }
    this.#inProcess ??= this.#options.open();
    const operation = (await this.#inProcess)[name] as (...args: readonly unknown[]) => unknown;
    return operation(...args);
  }

  async #askOnce({ place }: LocalService, { body, onProgress }: ServedRequest): Promise<unknown> {
    const response = await send({
      socket: place.socket,
      path: OPERATIONS_PATH,
      agent: this.#connections,
      ...(body !== undefined && { body }),
    });
    let last: AnswerLine | undefined;
    for await (const text of readLines(response)) {
      const line: AnswerLine = JSON.parse(text);
      if ('progress' in line) onProgress?.(line.progress);
      last = line;
    }
    if (last === undefined || 'progress' in last) throw new Error('The answer is incomplete.');
    if ('error' in last) throw errorFrom(last.error);
    return last.result;
  }

  async stop(): Promise<void> {
    this.#connections.destroy();
    await (await this.#inProcess)?.stop();
  }
}

interface ServedRequest extends Pick<CallOptions, 'onProgress'> {
  /** The request body; undefined if it is too large to send. */
  readonly body: string | undefined;
}

/** Builds the request for an operation. Progress callbacks are not sent. */
function toRequest(name: keyof ServedOperations, args: readonly unknown[]): ServedRequest {
  const [first, second] = args;
  const isWatched = SERVED[name].watched === 'yes';
  const body = JSON.stringify({ name, args: isWatched ? [first] : args });
  return {
    onProgress: isWatched ? (second as CallOptions | undefined)?.onProgress : undefined,
    body: Buffer.byteLength(body) > BODY_MAX_BYTES ? undefined : body,
  };
}

/** The largest body that the service accepts. */
const BODY_MAX_BYTES = 1_048_576;

function errorFrom({
  code,
  sentence,
}: {
  readonly code: string;
  readonly sentence: string;
}): Error {
  return new KnowledgeError(isErrorCode(code) ? code : 'internal', sentence);
}

/** Whether this process may succeed where the service failed: the service may run in a sandbox with less access. */
function isOnlyElsewhere(error: unknown): boolean {
  return error instanceof KnowledgeError && ELSEWHERE.has(error.code);
}

const ELSEWHERE: ReadonlySet<ErrorCode> = new Set([
  'project_not_found',
  'path_not_allowed',
  'store_unavailable',
  'storage_full',
  'overloaded',
]);

/** Errors of a request that did not reach a service. */
const NOT_SENT: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED']);

const LOST =
  'The local service ended before it answered, so the command may or may not have taken effect. Check before you run it again.';
