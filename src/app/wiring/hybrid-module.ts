import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { JsonSettingsSource } from '../../adapters/files/json-settings-source.js';
import { hybridApi } from '../../adapters/http/routes/hybrid-api.js';
import { TransformersEmbedder } from '../../adapters/transformers/model/transformers-embedder.js';
import { BackgroundEnrichment } from '../enrichment/background-enrichment.js';
import { HybridRetriever } from '../search/hybrid-retriever.js';
import { KeywordRetriever } from '../search/keyword-retriever.js';
import {
  CLOCK,
  CONFIG,
  EMBEDDER,
  ENRICHMENT,
  FEATURE_LIFECYCLE,
  KNOWLEDGE_STORE,
  LOGGER,
  PROJECT_FILES,
  QUESTION_GENERATOR,
  RETRIEVER,
  ROUTES,
  SETTINGS_SOURCE,
  TEXT_RETRIEVER,
} from './tokens.js';

/** Search by keyword and meaning, with the settings of each project. */
export const hybridModule = new ContainerModule(({ bind }) => {
  bind(EMBEDDER).toResolvedValue(
    ({ model, dataDir, modelHost, downloads }, clock, logger) =>
      new TransformersEmbedder({
        model,
        modelsDirectory: join(dataDir, 'models'),
        ...(modelHost !== undefined && { hub: modelHost }),
        downloads,
        clock,
        logger,
      }),
    [CONFIG, CLOCK, LOGGER],
  );
  bind(SETTINGS_SOURCE).toResolvedValue(
    (files, { appDir }, logger) => new JsonSettingsSource(files, appDir, logger),
    [PROJECT_FILES, CONFIG, LOGGER],
  );
  bind(ENRICHMENT).toResolvedValue(
    (embedder, generator, clock, logger) =>
      new BackgroundEnrichment({ embedder, generator, clock, logger }),
    [EMBEDDER, QUESTION_GENERATOR, CLOCK, LOGGER],
  );
  bind(TEXT_RETRIEVER).toResolvedValue(
    (embedder, clock, logger) =>
      new HybridRetriever({ keyword: KeywordRetriever.forCandidates(), embedder, clock, logger }),
    [EMBEDDER, CLOCK, LOGGER],
  );
  bind(RETRIEVER).toService(TEXT_RETRIEVER);
  bind(ROUTES).toResolvedValue(
    (store, features) => hybridApi({ store, features }),
    [KNOWLEDGE_STORE, FEATURE_LIFECYCLE],
  );
});
