import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import type { Logger } from '../../ports/driven/logger.js';
import type { ReleasableStores } from '../../ports/driven/project-stores.js';
import type { KnowledgeServices } from '../../ports/driving/knowledge-services.js';
import type { SetupService } from '../../ports/driving/setup-service.js';
import type { Config, StoreBackend, Variant } from '../config/config.js';
import { type StoreTotals, totalsOf } from '../projects/store-totals.js';
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
  STOP_WAITING,
  VARIANT_PARTS,
} from './tokens.js';

/** The driving ports over the adapters of a configuration, and what a process needs to run them. */
export interface ComposedService extends KnowledgeServices {
  readonly setup: SetupService;
  readonly logger: Logger;
  /** What the stores in use hold together. */
  totals(): Promise<StoreTotals>;
  /** Number of projects in use. */
  projectsInUse(): number;
  /** Number of calls that wait for a process that can work on them. */
  waitingCalls(): number;
  /** Continues the background work of a project, if it has a store. */
  wake(projectPath: string): Promise<void>;
  /** Gives up what is kept for a project, and closes its store. */
  release(projectPath: string): Promise<void>;
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
 * Composes the service of a configuration.
 * @param replacements modules of a host program, loaded last: they `rebind` what they replace
 * @throws ConfigError
 */
export function composeService(
  config: Config,
  replacements: readonly ContainerModule[] = [],
): ComposedService {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(CONFIG).toConstantValue(config);
  container.bind(STOP_WAITING).toConstantValue(new AbortController());
  container.load(adaptersModule, coreModule);
  container.load(BACKENDS[config.backend], VARIANTS[config.variant]);
  container.load(...replacements);
  const core = container.get(CORE);
  return {
    ...core,
    logger: container.get(PORTS.logger),
    checkStore: container.get(CHECK_STORE),
    totals: () => totalsOf(core.projects.inUse()),
    projectsInUse: () => core.projects.inUse().length,
    waitingCalls: () => 0,
    wake: (projectPath) => wake(container, projectPath),
    release: (projectPath) => release(container, projectPath),
    stopWaiting: () => {
      container.get(STOP_WAITING).abort();
      core.ingestion.stop();
    },
    stop: () => stop(container),
  };
}

async function wake(container: Container, projectPath: string): Promise<void> {
  const { project } = await container.get(CORE).projects.openForReading(projectPath);
  if (project !== undefined) container.get(VARIANT_PARTS).enrichment.wake(project);
}

async function release(container: Container, projectPath: string): Promise<void> {
  await container.get(CORE).projects.release(projectPath);
  const stores: Partial<ReleasableStores> = container.get(PORTS.stores);
  await stores.release?.(projectPath);
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
