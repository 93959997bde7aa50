import { join } from 'node:path';
import { EndpointEmbedder } from '../../adapters/openai/endpoint-embedder.js';
import {
  type BatchMode,
  TransformersEmbedder,
} from '../../adapters/transformers/model/transformers-embedder.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { Logger } from '../../ports/logger.js';
import type { Variant } from '../config/config.js';
import type { Config } from '../config/fields.js';
import { noEmbedder } from './null-objects.js';

interface EmbedderOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly batches?: BatchMode | undefined;
}

/** The embedder of the configured variant, for a process that does not share another process's embedder. */
export function createEmbedder(config: Config, ports: EmbedderOptions): EmbeddingModel {
  return EMBEDDERS[config.variant](config, ports);
}

const EMBEDDERS: Readonly<Record<Variant, typeof createEmbedder>> = {
  'search-only': ({ model }) => noEmbedder(model),
  hybrid: (config, ports) =>
    config.embeddings === undefined
      ? localModel(config, ports)
      : new EndpointEmbedder({ ...config.embeddings, ...ports }),
};

function localModel(config: Config, ports: EmbedderOptions): EmbeddingModel {
  return new TransformersEmbedder({
    model: config.model,
    modelsDirectory: join(config.dataDir, 'models'),
    hub: config.modelHost,
    downloads: config.downloads,
    runtime: config.runtime,
    ...ports,
  });
}
