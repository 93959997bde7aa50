import { ContainerModule } from 'inversify';
import { searchOnlyApi } from '../../adapters/http/routes/search-only-api.js';
import { DEFAULT_SETTINGS } from '../../domain/settings.js';
import { NoEmbedder } from '../enrichment/no-embedder.js';
import { noEnrichment } from '../enrichment/no-enrichment.js';
import { KeywordRetriever } from '../search/keyword-retriever.js';
import {
  CONFIG,
  EMBEDDER,
  ENRICHMENT,
  KNOWLEDGE_STORE,
  RETRIEVER,
  ROUTES,
  SETTINGS_SOURCE,
  TEXT_RETRIEVER,
} from './tokens.js';

/** Search by keyword; every setting is a constant and nothing of a project configures it. */
export const searchOnlyModule = new ContainerModule(({ bind }) => {
  bind(EMBEDDER).toResolvedValue(({ model }) => new NoEmbedder(model), [CONFIG]);
  bind(SETTINGS_SOURCE).toConstantValue({ read: async () => DEFAULT_SETTINGS });
  bind(ENRICHMENT).toConstantValue(noEnrichment);
  bind(RETRIEVER).toConstantValue(KeywordRetriever.forResults());
  bind(TEXT_RETRIEVER).toConstantValue(KeywordRetriever.forCandidates());
  bind(ROUTES).toResolvedValue((store) => searchOnlyApi({ store }), [KNOWLEDGE_STORE]);
});
