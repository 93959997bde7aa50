import { ContainerModule } from 'inversify';
import type { Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import { measuredEmbedder } from './measured.js';
import { metricsModule } from './metrics-module.js';
import { PORTS } from './tokens.js';
import { watchingModule } from './watching-module.js';

/** What differs where the service does all its work in its own process. */
export function monitoredModule({
  logger,
  metrics,
}: {
  readonly logger: Logger;
  readonly metrics: Metrics;
}): ContainerModule {
  const measuring = metricsModule(metrics);
  return new ContainerModule((options) => {
    const { rebind, onActivation } = options;
    measuring.load(options);
    rebind(PORTS.logger).toConstantValue(logger);
    watchingModule.load(options);
    onActivation(PORTS.embedder, ({ get }, embedder) =>
      measuredEmbedder(embedder, { metrics, clock: get(PORTS.clock) }),
    );
  });
}
