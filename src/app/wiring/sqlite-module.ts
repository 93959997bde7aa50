import { ContainerModule } from 'inversify';
import { SqliteProjectStores } from '../../adapters/sqlite/stores/sqlite-project-stores.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { ProjectStores } from '../../ports/driven/project-stores.js';
import type { Config } from '../config/config.js';
import { ClosingStores } from '../projects/closing-stores.js';
import type { IdleProjects } from '../projects/idle-projects.js';
import { CONFIG, IDLE_PROJECTS, PORTS, STOP_WAITING } from './tokens.js';

/** One SQLite file per project, open while the project is in use. */
export const sqliteModule = new ContainerModule(({ bind }) => {
  bind(PORTS.stores).toResolvedValue(createStores, [
    CONFIG,
    PORTS.embedder,
    PORTS.clock,
    PORTS.logger,
    STOP_WAITING,
    IDLE_PROJECTS,
  ]);
});

function createStores(
  { appDir, idleSeconds, openProjects }: Config,
  { model, dimensions }: Embedder,
  clock: Clock,
  logger: Logger,
  { signal: stopWaiting }: AbortController,
  idle: IdleProjects,
): ProjectStores {
  const options = { appDir, model, dimensions, clock, logger, stopWaiting };
  const idleMs = idleSeconds * 1000;
  const limits = { clock, logger, idle, idleMs, maxOpen: openProjects };
  return new ClosingStores(new SqliteProjectStores(options), limits);
}
