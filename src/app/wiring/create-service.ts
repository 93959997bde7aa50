import type { Config } from '../config/config.js';
import { type ComposedService, composeService } from './compose-service.js';
import { type Doors, doorsTo } from './doors.js';
import type { Surroundings } from './tokens.js';

/** A composed service, and how it can be called from outside. */
export interface Service extends ComposedService, Doors {}

/**
 * Composes a service that does its work in this process.
 * @throws ConfigError
 */
export function createService(config: Config, surroundings?: Surroundings): Service {
  const service = composeService(config, surroundings);
  return { ...service, ...doorsTo(service, config.variant) };
}
