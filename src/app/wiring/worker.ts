/** Entry point of a worker process, which runs a whole core for the service. */
import { serveWorker } from '../../adapters/workers/serve-worker.js';
import type { Config } from '../config/config.js';
import { composeService } from './compose-service.js';

serveWorker(({ role, settings, embedder, logger, metrics, ...world }) => {
  const service = composeService(settings as Config, {
    ports: { embedder, logger },
    metrics,
    sources: 'watched',
    background: role === 'owner' ? 'run' : 'leave',
    claims: { exclusively: world.exclusively },
    onProject: world.noteProject,
    onWork: world.noteWork,
  });
  return { ...service, services: service };
});
