import 'reflect-metadata';
import { Container, ContainerModule } from 'inversify';
import { nearestProject } from '../../adapters/files/nearest-project.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { ConnectedStores, ProjectStores } from '../../ports/driven/project-stores.js';
import type { KnowledgeServices } from '../../ports/driving/knowledge-services.js';
import type { SetupService } from '../../ports/driving/setup-service.js';
import type { Config } from '../config/config.js';
import type { CorePorts } from '../core-ports.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import { type StoreTotals, totalsOf } from '../projects/store-totals.js';
import { adaptersModule } from './adapters-module.js';
import { BACKENDS } from './backend-modules.js';
import { type Core, createCore } from './create-core.js';
import { noEnrichment } from './null-objects.js';
import {
  ADAPTERS,
  CONFIG,
  LIFE,
  PORTS,
  type ServiceLife,
  SURROUNDINGS,
  type Surroundings,
  VARIANT,
} from './tokens.js';
import { VARIANTS } from './variant-modules.js';

/** The driving ports over the adapters of a configuration, and what a process needs to run them. */
export interface ComposedService extends KnowledgeServices {
  readonly setup: SetupService;
  readonly logger: Logger;
  /** The nearest project upwards; undefined for the root of the file system, a home directory and what contains one. */
  nearestProject(directory: string): string | undefined;
  /** Loads the embedding model if nothing has to be downloaded. */
  loadModel(): void;
  /** Begins the background work on the projects in use, where that was to begin later. */
  startBackgroundWork(): void;
  /** What the stores in use hold together. */
  totals(): Promise<StoreTotals>;
  /** Number of projects in use. */
  projectsInUse(): number;
  /** Rejects if the server of the store, which only some backends have, cannot be used. */
  checkStore(): Promise<void>;
  /** Ends background work and closes every store; nothing may be called afterwards. */
  stop(): Promise<void>;
}

/**
 * Composes the service of a configuration.
 * @throws ConfigError
 */
export function composeService(config: Config, surroundings: Surroundings = {}): ComposedService {
  const stopping = new AbortController();
  const release = (path: string) => core.projects.release(path);
  const wake = async (path: string) => {
    const project = await core.projects.find(path);
    if (project !== undefined) enrichment.wake(project);
  };
  const life = { stopping: stopping.signal, release, wake };
  const container = containerOf(config, surroundings, life);
  const ports = container.get(ADAPTERS);
  const variant = container.get(VARIANT);
  const isLater = surroundings.background === 'later';
  const enrichment = isLater ? noEnrichment : variant.enrichment;
  const looks = isLater ? 'before searches' : 'at intervals';
  const core = createCore(ports, { ...variant, enrichment }, { looks });
  const stores: ProjectStores & Partial<ConnectedStores> = ports.stores;
  return {
    ...core,
    logger: ports.logger,
    nearestProject: (directory) => nearestProject(directory, ports.appDirs),
    loadModel: () => ports.embedder.load('installed'),
    startBackgroundWork: () => {
      for (const project of core.projects.inUse()) variant.enrichment.wake(project);
    },
    checkStore: async () => stores.connect?.(),
    totals: () => totalsOf(core.projects.inUse()),
    projectsInUse: () => core.projects.inUse().length,
    stop: () => stop(core, ports, { stopping, enrichment: variant.enrichment }),
  };
}

function containerOf(config: Config, surroundings: Surroundings, life: ServiceLife): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(CONFIG).toConstantValue(config);
  container.bind(SURROUNDINGS).toConstantValue(surroundings);
  container.bind(LIFE).toConstantValue(life);
  container.load(adaptersModule, BACKENDS[config.backend], VARIANTS[config.variant]);
  const { ports: brought = {} } = surroundings;
  container.load(
    new ContainerModule(({ rebind }) => {
      for (const [name, adapter] of Object.entries(brought)) {
        rebind<unknown>(PORTS[name as keyof CorePorts]).toConstantValue(adapter);
      }
    }),
  );
  container.bind(ADAPTERS).toResolvedValue(adaptersOf, Object.values(PORTS));
  return container;
}

/** Named, in the order of their tokens. */
function adaptersOf(...adapters: readonly unknown[]): CorePorts {
  const names = Object.keys(PORTS);
  return Object.fromEntries(
    names.map((name, index) => [name, adapters[index]]),
  ) as unknown as CorePorts;
}

interface Stopping {
  readonly stopping: AbortController;
  readonly enrichment: Enrichment;
}

/**
 * Interrupts model calls first, because background work waits for them; closes stores last, because it writes
 * to them.
 */
async function stop(core: Core, ports: CorePorts, { stopping, enrichment }: Stopping) {
  const { projects, sync, ingestion, searches } = core;
  stopping.abort();
  projects.stop();
  ingestion.stop();
  const ended = [sync.stop(), enrichment.stop()];
  await ports.embedder.close();
  await Promise.all([...ended, searches.stop()]);
  await ports.stores.close();
}
