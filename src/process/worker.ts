/** Entry point of a worker, which is the service as a process that serves alone, but for what it shares with the others. */
import { joinPrimary } from '../adapters/cluster/primary-link.js';
import { readConfig } from '../app/config/read-config.js';
import { reasonOf } from '../domain/errors.js';
import { startHttpService } from './http-service.js';

const primary = await joinPrimary();
try {
  const service = await startHttpService(readConfig(process.env), {
    embedder: primary.embedder(),
    metrics: () => primary.metrics(),
  });
  primary.ready(service);
} catch (error) {
  primary.fail(reasonOf(error));
}
