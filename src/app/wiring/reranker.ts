import { join } from 'node:path';
import { EndpointReranker } from '../../adapters/openai/endpoint-reranker.js';
import { LocalReranker } from '../../adapters/transformers/model/local-reranker.js';
import { findNativeRuntime } from '../../adapters/transformers/model/network.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { Reranker } from '../../ports/reranker.js';
import type { Config } from '../config/fields.js';

interface RerankerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The configured reranker: at an endpoint, or local; most services have none. */
export function createReranker(config: Config, options: RerankerOptions): Reranker | undefined {
  const { reranking, reranker: model } = config;
  if (reranking !== undefined) return new EndpointReranker({ ...reranking, ...options });
  if (model === undefined) return undefined;
  return new LocalReranker({
    ...{ model, hub: config.modelHost, downloads: config.downloads },
    modelsDirectory: join(config.dataDir, 'models'),
    nativeRuntime: config.runtime === 'wasm' ? undefined : findNativeRuntime(),
    ...options,
  });
}
