import type { ContainerModule } from 'inversify';
import { hybridApi } from '../../adapters/http/routes/hybrid-api.js';
import type { Route } from '../../adapters/http/routes/route.js';
import { searchOnlyApi } from '../../adapters/http/routes/search-only-api.js';
import type { Config, Variant } from '../config/config.js';
import { type ComposedService, composeService } from './compose-service.js';
import type { HostOptions } from './tokens.js';

/** A composed service, and how it can be called from outside. */
export interface Service extends ComposedService {
  /** The HTTP interface of the variant. */
  readonly routes: readonly Route[];
}

/**
 * Composes a service and its routes.
 * @throws ConfigError
 */
export function createService(
  config: Config,
  host?: HostOptions,
  ...modules: readonly ContainerModule[]
): Service {
  const service = composeService(config, host, ...modules);
  return { ...service, routes: APIS[config.variant](service) };
}

const APIS: Readonly<Record<Variant, (service: ComposedService) => readonly Route[]>> = {
  hybrid: hybridApi,
  'search-only': searchOnlyApi,
};
