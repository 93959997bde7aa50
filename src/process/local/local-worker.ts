/** Entry point of the worker of the local service. */
import { joinPrimary } from '../../adapters/cluster/primary-link.js';
import { readConfig } from '../../app/config/read-config.js';
import { errorReason } from '../../domain/errors.js';
import { startLocalWorker } from './worker-service.js';

const primary = await joinPrimary();
try {
  const config = readConfig(process.env);
  primary.ready(await startLocalWorker(config, primary.embedder()));
} catch (error) {
  primary.fail(errorReason(error));
}
