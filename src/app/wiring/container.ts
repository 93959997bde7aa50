import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import type { Route } from '../../adapters/http/routes/route.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { FeatureLifecycle } from '../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../ports/driving/knowledge-store.js';
import type { Config, Variant } from '../config.js';
import { adaptersModule } from './adapters-module.js';
import { coreModule } from './core-module.js';
import { hybridModule } from './hybrid-module.js';
import { searchOnlyModule } from './search-only-module.js';
import {
  CONFIG,
  EMBEDDER,
  ENRICHMENT,
  FEATURE_LIFECYCLE,
  KNOWLEDGE_STORE,
  LANGUAGE_MODEL,
  LOGGER,
  PROJECT_STORES,
  ROUTES,
} from './tokens.js';

/** A composed service, ready to be driven. */
export interface Service {
  readonly store: KnowledgeStore;
  readonly features: FeatureLifecycle;
  /** The HTTP interface of the variant. */
  readonly routes: readonly Route[];
  readonly logger: Logger;
  /** Ends background work and closes every store; nothing may be called afterwards. */
  stop(): Promise<void>;
}

/** The parts in which the variants differ; a variant is a composition and never a condition. */
const VARIANT_MODULES: Record<Variant, ContainerModule> = {
  'search-only': searchOnlyModule,
  hybrid: hybridModule,
};

/**
 * Composes a service.
 * @param replacements modules of a host program, loaded last: they `rebind` what they replace
 * @throws Error with one line that names the variable whose value cannot be used
 */
export function createService(
  config: Config,
  replacements: readonly ContainerModule[] = [],
): Service {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(CONFIG).toConstantValue(config);
  container.load(adaptersModule, coreModule, VARIANT_MODULES[config.variant], ...replacements);
  return {
    store: container.get(KNOWLEDGE_STORE),
    features: container.get(FEATURE_LIFECYCLE),
    routes: container.get(ROUTES),
    logger: container.get(LOGGER),
    stop: () => stop(container),
  };
}

/** What others wait for is interrupted first, what others write to is closed last. */
async function stop(container: Container): Promise<void> {
  const enrichmentStopped = container.get(ENRICHMENT).stop();
  container.get(LANGUAGE_MODEL).stop();
  await container.get(EMBEDDER).close();
  await enrichmentStopped;
  await container.get(PROJECT_STORES).close();
}
