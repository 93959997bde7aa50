import { Supervisor } from '../adapters/cluster/supervisor.js';
import { workerMetrics } from '../adapters/metrics/prometheus-metrics.js';
import { systemClock } from '../adapters/system/system-clock.js';
import type { Config } from '../app/config/fields.js';
import type { Environment } from '../app/config/read-config.js';
import { createEmbedder } from '../app/wiring/embedder.js';
import { KnowledgeError } from '../domain/errors.js';
import type { RunningService } from './http-service.js';
import { createLogger } from './logger.js';

/**
 * Starts `config.workers` worker processes and the parts they share: the embedding model and the sum of their metrics.
 * @throws Error with the message of the first worker that cannot start
 */
export async function startWorkers(config: Config, env: Environment): Promise<RunningService> {
  const logger = await createLogger(config);
  const embedder = createEmbedder(config, { clock: systemClock, logger });
  const supervisor = new Supervisor({
    env,
    logger,
    workers: config.workers,
    maxMb: config.workerMb,
    file: new URL('./worker.js', import.meta.url),
    embedder,
    metrics: sharedMetrics(),
  });
  const stop = async () => {
    await supervisor.stop();
    await embedder.close();
  };
  try {
    return { url: await supervisor.start(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function sharedMetrics(): () => Promise<string> {
  const read = workerMetrics();
  return () =>
    read().catch((cause: unknown) => {
      throw new KnowledgeError('overloaded', 'A worker is not responding; try again shortly.', {
        cause,
      });
    });
}
