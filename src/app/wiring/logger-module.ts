import { ContainerModule } from 'inversify';
import type { Logger } from '../../ports/driven/logger.js';
import { PORTS } from './tokens.js';

/** Replaces the logger. */
export function loggerModule(logger: Logger): ContainerModule {
  return new ContainerModule(({ rebind }) => {
    rebind(PORTS.logger).toConstantValue(logger);
  });
}
