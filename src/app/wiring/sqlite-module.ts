import { ContainerModule } from 'inversify';
import { databasePath } from '../../adapters/sqlite/database/store-files.js';
import { newLeaseHolder } from '../../adapters/sqlite/stores/sqlite-leases.js';
import { SqliteProjectStores } from '../../adapters/sqlite/stores/sqlite-project-stores.js';
import { ThreadedProjectStores } from '../../adapters/store-threads/threaded-project-stores.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { ProjectStores } from '../../ports/driven/project-stores.js';
import type { Config } from '../config/config.js';
import { ClosingStores } from '../projects/closing-stores.js';
import type { IdleProjects } from '../projects/idle-projects.js';
import type { SqliteThreadSettings } from './sqlite-thread.js';
import { CHECK_STORE, CONFIG, IDLE_PROJECTS, PORTS, STOP_WAITING } from './tokens.js';

/** One SQLite file per project, open while the project is in use, in worker threads if so configured. */
export const sqliteModule = new ContainerModule(({ bind }) => {
  bind(PORTS.stores).toResolvedValue(createStores, [
    CONFIG,
    PORTS.embedder,
    PORTS.clock,
    PORTS.logger,
    STOP_WAITING,
    IDLE_PROJECTS,
  ]);
  bind(CHECK_STORE).toConstantValue(async () => {});
});

function createStores(
  { appDir, idleSeconds, openProjects, threads }: Config,
  { model, dimensions }: Embedder,
  clock: Clock,
  logger: Logger,
  { signal: stopWaiting }: AbortController,
  idle: IdleProjects,
): ProjectStores {
  const settings = { appDir, model, dimensions, leaseHolder: newLeaseHolder() };
  const means = { clock, logger, stopWaiting };
  const stores =
    threads === 0
      ? new SqliteProjectStores({ ...settings, ...means })
      : inThreads(settings, { ...means, readers: threads });
  const limits = { clock, logger, idle, idleMs: idleSeconds * 1000, maxOpen: openProjects };
  return new ClosingStores(stores, limits);
}

function inThreads(
  settings: SqliteThreadSettings,
  means: Pick<
    ConstructorParameters<typeof ThreadedProjectStores>[0],
    'clock' | 'logger' | 'readers' | 'stopWaiting'
  >,
): ThreadedProjectStores {
  return new ThreadedProjectStores({
    ...means,
    workerFile: new URL('./sqlite-thread.js', import.meta.url),
    settings,
    locationOf: (projectPath) => databasePath(projectPath, settings.appDir),
  });
}
