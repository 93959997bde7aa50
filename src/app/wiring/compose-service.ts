import 'reflect-metadata';
import { Container, type ContainerModule, type ResolutionContext } from 'inversify';
import { nearestProject } from '../../adapters/files/nearest-project.js';
import { ConfigError } from '../config/config.js';
import type { Config } from '../config/fields.js';
import type { CorePorts } from '../core-ports.js';
import { OwnChunkRepository } from '../projects/own-chunk-repository.js';
import { storesOverRepository } from '../projects/stores-over-repository.js';
import type { ComposedService } from '../service.js';
import { createUseCases, type VariantOptions } from '../service.js';
import { adaptersModule } from './adapters-module.js';
import { BACKENDS, storesInMemory } from './backend-modules.js';
import { noEnrichment } from './null-objects.js';
import { checkMethods } from './replaceable-ports.js';
import {
  ADAPTERS,
  CONFIG,
  HOST,
  type HostOptions,
  PORTS,
  SERVICE,
  STOPPING,
  TOKENS,
  VARIANT,
} from './tokens.js';
import { VARIANTS } from './variant-modules.js';

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

/** The container of a configuration: with its ports, and the use cases under `SERVICE`. */
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
  const own = new OwnChunkRepository(() => container.get(PORTS.stores));
  container.bind(TOKENS.chunkRepository).toConstantValue(own);
  for (const [name, adapter] of Object.entries(host.ports ?? {})) {
    container.rebind<unknown>({ ...PORTS, ...TOKENS }[name as PortName]).toConstantValue(adapter);
  }
  container.onActivation(PORTS.stores, (context, stores) => {
    const repository = context.get(TOKENS.chunkRepository);
    if (repository === undefined || repository instanceof OwnChunkRepository) return stores;
    checkMethods('chunkRepository', repository);
    const { model, dimensions } = context.get(PORTS.embedder);
    const options = {
      model,
      dimensions,
      clock: context.get(PORTS.clock),
      logger: context.get(PORTS.logger),
    };
    return storesOverRepository(storesInMemory(options), repository);
  });
  container.bind(ADAPTERS).toDynamicValue(portsIn);
  container.bind(SERVICE).toResolvedValue(composed, [HOST, ADAPTERS, VARIANT, STOPPING]);
  refuseLateBindings(container);
  return container;
}

/** A port that is bound again after the service was built would not be used. */
function refuseLateBindings(container: Container): void {
  let isBuilt = false;
  container.onActivation(SERVICE, (_, service) => {
    isBuilt = true;
    return service;
  });
  const rebind: Container['rebind'] = container.rebind.bind(container);
  container.rebind = (token) => {
    if (isBuilt) throw new ConfigError(TOO_LATE);
    return rebind(token);
  };
}

const TOO_LATE =
  'The service was built already, so a port that is bound again would not be used; bind it before you get the service.';

type PortName = keyof typeof PORTS | keyof typeof TOKENS;

function portsIn({ get }: Pick<ResolutionContext, 'get'>): CorePorts {
  const ports = Object.entries(PORTS).map(([name, token]) => [name, get<unknown>(token)]);
  return Object.fromEntries(ports) as unknown as CorePorts;
}

function composed(
  { background }: HostOptions,
  ports: CorePorts,
  variant: VariantOptions,
  stopping: AbortController,
): ComposedService {
  const isLater = background === 'later';
  const enrichment = isLater ? noEnrichment : variant.enrichment;
  const looks = isLater ? 'before searches' : 'at intervals';
  const useCases = createUseCases(ports, { ...variant, enrichment }, { looks });
  const { projects, sync, ingestion, search } = useCases;
  return {
    ...useCases,
    ...{ logger: ports.logger, embedder: ports.embedder },
    nearestProject: (directory) => nearestProject(directory, ports.appDirs),
    isEnriching: (projectPath) => variant.enrichment.isWorking(projectPath),
    startBackgroundWork: () => {
      for (const project of projects.inUse()) variant.enrichment.schedule(project);
    },
    inUse: () => projects.inUse(),
    checkStore: async () => ports.stores.connect?.(),
    /** Interrupts model calls first, because background work waits for them; closes stores last, because it writes to them. */
    stop: async () => {
      stopping.abort();
      projects.stop();
      ingestion.stop();
      const ended = [sync.stop(), variant.enrichment.stop()];
      await ports.embedder.close();
      await Promise.all([...ended, search.stop()]);
      await ports.stores.close();
    },
  };
}
