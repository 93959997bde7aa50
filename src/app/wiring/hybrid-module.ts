import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { JsonSettingsSource } from '../../adapters/files/json-settings-source.js';
import { hybridApi } from '../../adapters/http/routes/hybrid-api.js';
import { TransformersEmbedder } from '../../adapters/transformers/model/transformers-embedder.js';
import { BackgroundEnrichment } from '../enrichment/background-enrichment.js';
import type { RetryListener } from '../enrichment/background-loop.js';
import { HybridRetriever } from '../search/hybrid-retriever.js';
import { KeywordRetriever } from '../search/keyword-retriever.js';
import type { CorePorts, VariantParts } from './create-core.js';
import {
  CONFIG,
  CORE,
  CORE_PORTS,
  DOWNLOAD_LISTENER,
  PORTS,
  RETRY_LISTENER,
  ROUTES,
  VARIANT_PARTS,
} from './tokens.js';

/** Search by keyword and meaning, with the settings of each project. */
export const hybridModule = new ContainerModule(({ bind }) => {
  bind(PORTS.embedder).toResolvedValue(
    (config, clock, logger, onDownload) =>
      new TransformersEmbedder({
        model: config.model,
        modelsDirectory: join(config.dataDir, 'models'),
        ...(config.modelHost !== undefined && { hub: config.modelHost }),
        downloads: config.downloads,
        onDownload,
        clock,
        logger,
      }),
    [CONFIG, PORTS.clock, PORTS.logger, DOWNLOAD_LISTENER],
  );
  bind(PORTS.settings).toResolvedValue(
    (files, appDirs, logger) => new JsonSettingsSource(files, appDirs, logger),
    [PORTS.files, PORTS.appDirs, PORTS.logger],
  );
  bind(RETRY_LISTENER).toConstantValue(() => undefined);
  bind(VARIANT_PARTS).toResolvedValue(hybridParts, [CORE_PORTS, RETRY_LISTENER]);
  bind(ROUTES).toResolvedValue(hybridApi, [CORE]);
});

/** Ranks by keywords and by vectors, which are computed in the background. */
export function hybridParts(ports: CorePorts, onRetry: RetryListener): VariantParts {
  const retriever = new HybridRetriever({ ...ports, keyword: KeywordRetriever.forCandidates() });
  return {
    enrichment: new BackgroundEnrichment({ ...ports, generator: ports.questions, onRetry }),
    retriever,
    textRetriever: retriever,
  };
}
