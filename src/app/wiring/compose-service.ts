import 'reflect-metadata';
import {
  Container,
  type ContainerModule,
  type ResolutionContext,
  type ServiceIdentifier,
} from 'inversify';
import { nearestProject } from '../../adapters/files/nearest-project.js';
import type { RunningKnowledgeStore } from '../../ports/driving/knowledge-services.js';
import type { SetupService } from '../../ports/driving/setup-service.js';
import type { Logger } from '../../ports/logger.js';
import type { Config } from '../config/config.js';
import type { CorePorts } from '../core-ports.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import { MissingVectors } from '../enrichment/missing-vectors.js';
import { type StoreTotals, totalsOf } from '../projects/store-totals.js';
import { withChunkRepository } from '../projects/with-chunk-repository.js';
import { adaptersModule } from './adapters-module.js';
import { BACKENDS } from './backend-modules.js';
import { type Core, createCore, type VariantOptions } from './create-core.js';
import { noEnrichment } from './null-objects.js';
import { checkMethods } from './replaceable-ports.js';
import {
  ADAPTERS,
  CONFIG,
  HOST,
  type HostOptions,
  PORTS,
  STOPPING,
  TOKENS,
  VARIANT,
} from './tokens.js';
import { VARIANTS } from './variant-modules.js';

/** The driving ports over the adapters of a configuration, and what a process needs to run them. */
export interface ComposedService extends RunningKnowledgeStore {
  readonly setup: SetupService;
  readonly logger: Logger;
  /** The nearest project upwards; undefined for the root of the file system, a home directory and what contains one. */
  nearestProject(directory: string): string | undefined;
  /** Loads the embedding model if nothing has to be downloaded. */
  loadModel(): void;
  /** Of a process that ends: who makes the vectors that a project lacks then. */
  readonly missingVectors: MissingVectors;
  /** Begins the background work on the projects in use, where that was to begin later. */
  startBackgroundWork(): void;
  /** What the stores in use hold together. */
  totals(): Promise<StoreTotals>;
  /** Number of projects in use. */
  projectsInUse(): number;
  /** Rejects if the server of the store, which only some backends have, cannot be used. */
  checkStore(): Promise<void>;
}

/**
 * Composes the service of a configuration.
 * @param modules bind what the host does not bring along
 * @throws ConfigError
 */
export function composeService(
  config: Config,
  host: HostOptions = {},
  ...modules: readonly ContainerModule[]
): ComposedService {
  return createContainer(config, host, ...modules).get(SERVICE);
}

/** The container of a configuration: with its ports, and the service under `TOKENS.service`. */
export function createContainer(
  config: Config,
  host: HostOptions = {},
  ...modules: readonly ContainerModule[]
): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(CONFIG).toConstantValue(config);
  container.bind(HOST).toConstantValue(host);
  container.bind(STOPPING).toConstantValue(new AbortController());
  container.load(adaptersModule, BACKENDS[config.backend], VARIANTS[config.variant], ...modules);
  for (const [name, adapter] of Object.entries(host.ports ?? {})) {
    container.rebind<unknown>({ ...PORTS, ...TOKENS }[name as PortName]).toConstantValue(adapter);
  }
  container.onActivation(PORTS.stores, (context, stores) => {
    const repository = context.get(TOKENS.chunkRepository);
    if (repository === undefined) return stores;
    checkMethods('chunkRepository', repository);
    return withChunkRepository(stores, repository);
  });
  container.bind(ADAPTERS).toDynamicValue(adaptersIn);
  container.bind(SERVICE).toResolvedValue(serviceOf, [HOST, ADAPTERS, VARIANT, STOPPING]);
  return container;
}

type PortName = keyof typeof PORTS | keyof typeof TOKENS;

const SERVICE: ServiceIdentifier<ComposedService> = TOKENS.service as symbol;

function adaptersIn(context: ResolutionContext): CorePorts {
  const tokens = Object.entries<ServiceIdentifier>(PORTS);
  const adapters = tokens.map(([name, token]) => [name, context.get(token)]);
  return Object.fromEntries(adapters) as CorePorts;
}

function serviceOf(
  { background }: HostOptions,
  ports: CorePorts,
  variant: VariantOptions,
  stopping: AbortController,
): ComposedService {
  const isLater = background === 'later';
  const enrichment = isLater ? noEnrichment : variant.enrichment;
  const looks = isLater ? 'before searches' : 'at intervals';
  const core = createCore(ports, { ...variant, enrichment }, { looks });
  return {
    ...core,
    logger: ports.logger,
    nearestProject: (directory) => nearestProject(directory, ports.appDirs),
    missingVectors: new MissingVectors({
      ...ports,
      projects: core.projects,
      enrichment: variant.enrichment,
    }),
    loadModel: () => ports.embedder.load('installed'),
    startBackgroundWork: () => {
      for (const project of core.projects.inUse()) variant.enrichment.schedule(project);
    },
    checkStore: async () => ports.stores.connect?.(),
    totals: () => totalsOf(core.projects.inUse()),
    projectsInUse: () => core.projects.inUse().length,
    stop: () => stop(core, ports, { stopping, enrichment: variant.enrichment }),
  };
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
