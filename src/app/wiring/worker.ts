/** Entry point of a worker process, which runs a whole core for the service. */
import { serveWorker } from '../../adapters/workers/serve-worker.js';
import type { Config } from '../config/config.js';
import { composeService } from './compose-service.js';
import { repliesOf, routesOf } from './routes.js';

serveWorker(({ role, settings, embedder, logger, metrics, ...world }) => {
  const config = settings as Config;
  const service = composeService(config, {
    ports: { embedder, logger, metrics },
    sources: 'watched',
    background: role === 'owner' ? 'run' : 'leave',
    claims: { exclusively: world.exclusively },
    onProject: world.noteProject,
    onWork: world.noteWork,
  });
  const routes = repliesOf(routesOf(service, config.variant));
  return { ...service, services: { ...service, routes } };
});
