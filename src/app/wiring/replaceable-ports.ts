import { systemClock } from '../../adapters/system/system-clock.js';
import { KnowledgeError } from '../../domain/errors.js';
import { EMBEDDING_DIMENSIONS } from '../../domain/limits.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import { ConfigError } from '../config/config.js';
import type { KnowledgeStoreOptions, ReplaceablePorts } from '../config/options.js';
import type { HostOptions } from './host.js';
import { checkMethods, hasRequiredMethods } from './required-methods.js';
import { PORTS, TOKENS } from './tokens.js';

/** An embedder completed with defaults. @throws ConfigError */
export function completeEmbedder(embedder: ReplaceablePorts['embedder']): EmbeddingModel {
  checkMethods('embedder', embedder);
  const { model = 'custom', dimensions = EMBEDDING_DIMENSIONS } = embedder;
  if (!Number.isInteger(dimensions) || dimensions < 1)
    throw new ConfigError('backends.embedder.dimensions must be a positive integer.');
  const checked = (vector: Vector) => checkVector(vector, dimensions);
  const embed = async (text: string, signal?: AbortSignal) =>
    checked(await embedder.embed(text, signal));
  return {
    model,
    dimensions,
    embed,
    embedBatch: async (texts, role) =>
      texts.length === 0 ? [] : (await embedder.embedBatch(texts, role)).map(checked),
    isReady: () => embedder.isReady(),
    status: () => embedder.status?.() ?? { state: embedder.isReady() ? 'ready' : 'idle' },
    load: (which = 'any') => {
      if (embedder.load !== undefined) embedder.load(which);
      else if (which === 'any') embed('A text that loads the model.').catch(() => undefined);
    },
    close: async () => embedder.close?.(),
  };
}

/** Checks the number of values. Also accepts a plain list of numbers. */
function checkVector(vector: Vector, dimensions: number): Vector {
  if (vector.length === dimensions) return Float32Array.from(vector);
  throw new KnowledgeError(
    'model_unavailable',
    `The embedder returned ${vector.length} values instead of ${dimensions}; its property "dimensions" says how many it returns.`,
  );
}

/** A clock completed with defaults. @throws ConfigError */
export function completeClock(clock: ReplaceablePorts['clock']): Clock {
  checkMethods('clock', clock);
  if (clock === systemClock) return systemClock;
  const now: unknown = clock.now();
  if (!(now instanceof Date) || Number.isNaN(now.getTime()))
    throw new ConfigError('backends.clock.now must return a valid Date.');
  return {
    now: () => clock.now(),
    monotonic: () => (clock.monotonic ? clock.monotonic() : systemClock.monotonic()),
    sleep: (ms, signal) => (clock.sleep ? clock.sleep(ms, signal) : systemClock.sleep(ms, signal)),
  };
}

/**
 * Reads the options that concern the host program: adapters, logger and watching.
 * @throws ConfigError for an unknown name, or a backend that is not an object
 */
export function hostOptions({ logger, watch, backends = {} }: KnowledgeStoreOptions): HostOptions {
  const replaced = Object.entries(backends).filter(([, backend]) => backend !== undefined);
  for (const [name, backend] of replaced) checkPort(name, backend);
  if (typeof logger === 'object') checkMethods('logger', logger);
  return {
    ports: { ...Object.fromEntries(replaced), ...(typeof logger === 'object' && { logger }) },
    ...(watch === true && { sources: 'watched' }),
  };
}

const { service: _, ...REPLACEABLE } = TOKENS;

function checkPort(name: string, backend: unknown): void {
  if (!Object.hasOwn({ ...REPLACEABLE, ...PORTS }, name)) {
    const names = Object.keys(REPLACEABLE).join(', ');
    throw new ConfigError(
      `backends.${name} is not a port. Ports are ${names}, and others that the type Backends lists.`,
    );
  }
  if (typeof backend !== 'object' || backend === null) {
    throw new ConfigError(`backends.${name} must be an object.`);
  }
  if (hasRequiredMethods(name)) checkMethods(name, backend);
}
