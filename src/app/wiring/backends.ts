import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { ConfigError } from '../config/config.js';
import type { KnowledgeStoreOptions } from '../config/options.js';
import { withVectorIndexes } from '../projects/with-vector-indexes.js';
import { PORTS } from './tokens.js';
import { createSourceWatcher } from './watching-module.js';

/**
 * A module that replaces adapters of the service with those of a host program.
 * @throws ConfigError for an unknown name, or a backend that is not an object
 */
export function backendsModule({
  logger,
  watch,
  backends = {},
}: KnowledgeStoreOptions): ContainerModule {
  const { vectors, ...ports } = backends;
  const ownLogger = typeof logger === 'object' ? logger : undefined;
  const replaced = Object.entries({ ...ports, logger: ownLogger })
    .filter(([, backend]) => backend !== undefined)
    .map(([name, backend]) => ({ port: portOf(name), backend: checked(name, backend) }));
  return new ContainerModule(({ rebind, onActivation }) => {
    if (watch === true) rebind(PORTS.watcher).toResolvedValue(createSourceWatcher, [PORTS.appDirs]);
    for (const { port, backend } of replaced) rebind(port).toConstantValue(backend);
    if (vectors === undefined) return;
    onActivation(PORTS.stores, (_, stores) => withVectorIndexes(stores, vectors));
  });
}

function portOf(name: string): ServiceIdentifier<unknown> {
  const port = new Map<string, ServiceIdentifier<unknown>>(Object.entries(PORTS)).get(name);
  if (port !== undefined) return port;
  throw new ConfigError(
    `backends.${name} must be one of the ports that can be replaced: ${Object.keys(PORTS).join(', ')}.`,
  );
}

function checked(name: string, backend: unknown): unknown {
  if (typeof backend === 'object' && backend !== null) return backend;
  throw new ConfigError(`backends.${name} must be an object.`);
}
