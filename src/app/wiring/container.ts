import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import { hybridApi } from '../../adapters/http/routes/hybrid-api.js';
import type { Route } from '../../adapters/http/routes/route.js';
import type { SourceResources } from '../../adapters/mcp/resources/source-resources.js';
import type { Tool } from '../../adapters/mcp/tools/tool.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { KnowledgeServices } from '../../ports/driving/knowledge-services.js';
import type { SetupService } from '../../ports/driving/setup-service.js';
import type { Config, StoreBackend, Variant } from '../config/config.js';
import { adaptersModule } from './adapters-module.js';
import { coreModule } from './core-module.js';
import { hybridModule } from './hybrid-module.js';
import { memoryModule } from './memory-module.js';
import { postgresModule } from './postgres-module.js';
import { searchOnlyModule } from './search-only-module.js';
import { sqliteModule } from './sqlite-module.js';
import {
  CHECK_STORE,
  CONFIG,
  CORE,
  LANGUAGE_MODEL,
  PORTS,
  RESOURCES,
  ROUTES,
  STOP_WAITING,
  TOOLS,
  VARIANT_PARTS,
} from './tokens.js';

/** A composed service, ready for use. */
export interface Service extends KnowledgeServices {
  readonly setup: SetupService;
  /** The HTTP interface of the variant. */
  readonly routes: readonly Route[];
  /** What the command line can call: the HTTP interface of the hybrid variant, in either variant. */
  readonly operations: readonly Route[];
  /** The tools of the MCP server. */
  readonly tools: readonly Tool[];
  /** The resources of the MCP server. */
  readonly resources: SourceResources;
  readonly logger: Logger;
  /** Rejects if the server of the store, which only some backends have, cannot be used. */
  checkStore(): Promise<void>;
  /** Makes everything that waits for a lock of another process fail now, and ingestions end before their next source. */
  stopWaiting(): void;
  /** Ends background work and closes every store; nothing may be called afterwards. */
  stop(): Promise<void>;
}

/** The parts in which the variants differ. A variant is a composition; no code checks for its name. */
const VARIANTS: Readonly<Record<Variant, ContainerModule>> = {
  'search-only': searchOnlyModule,
  hybrid: hybridModule,
};

/** The storage backends for chunks and vectors. */
const BACKENDS: Readonly<Record<StoreBackend, ContainerModule>> = {
  sqlite: sqliteModule,
  memory: memoryModule,
  postgres: postgresModule,
};

/**
 * Composes a service.
 * @param replacements modules of a host program, loaded last: they `rebind` what they replace
 * @throws ConfigError
 */
export function createService(
  config: Config,
  replacements: readonly ContainerModule[] = [],
): Service {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(CONFIG).toConstantValue(config);
  container.bind(STOP_WAITING).toConstantValue(new AbortController());
  container.load(adaptersModule, coreModule);
  container.load(BACKENDS[config.backend], VARIANTS[config.variant]);
  container.load(...replacements);
  const core = container.get(CORE);
  return {
    ...core,
    routes: container.get(ROUTES),
    operations: hybridApi(core),
    tools: container.get(TOOLS),
    resources: container.get(RESOURCES),
    logger: container.get(PORTS.logger),
    checkStore: container.get(CHECK_STORE),
    stopWaiting: () => {
      container.get(STOP_WAITING).abort();
      core.ingestion.stop();
    },
    stop: () => stop(container),
  };
}

/**
 * Interrupts model calls first, because background work waits for them; closes stores last, because it writes
 * to them.
 */
async function stop(container: Container): Promise<void> {
  container.get(STOP_WAITING).abort();
  const { projects, freshness, ingestion } = container.get(CORE);
  projects.stop();
  ingestion.stop();
  const watchingStopped = freshness.stop();
  const enrichmentStopped = container.get(VARIANT_PARTS).enrichment.stop();
  container.get(LANGUAGE_MODEL).stop();
  await container.get(PORTS.embedder).close();
  const counted = container.get(CORE).searches.stop();
  await Promise.all([watchingStopped, enrichmentStopped, counted]);
  await container.get(PORTS.stores).close();
}
