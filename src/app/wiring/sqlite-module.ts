import { ContainerModule } from 'inversify';
import { SqliteBackups } from '../../adapters/sqlite/backups/sqlite-backups.js';
import { databasePath } from '../../adapters/sqlite/database/store-files.js';
import { newLeaseHolder } from '../../adapters/sqlite/stores/sqlite-leases.js';
import { NEARBY, SqliteProjectStores } from '../../adapters/sqlite/stores/sqlite-project-stores.js';
import { ThreadedProjectStores } from '../../adapters/store-threads/threaded-project-stores.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { ReleasableStores } from '../../ports/driven/project-stores.js';
import type { Config } from '../config/config.js';
import { ClosingStores } from '../projects/closing-stores.js';
import type { SqliteThreadSettings } from './sqlite-thread.js';
import {
  CHECK_STORE,
  CONFIG,
  IDLE_PROJECTS,
  PORTS,
  SQLITE_STORES,
  STOP_WAITING,
} from './tokens.js';

/** One SQLite file per project, open while the project is in use, in worker threads if so configured. */
export const sqliteModule = new ContainerModule(({ bind }) => {
  bind(SQLITE_STORES).toResolvedValue(createStores, [
    CONFIG,
    PORTS.embedder,
    PORTS.appDirs,
    PORTS.clock,
    PORTS.logger,
    STOP_WAITING,
  ]);
  bind(PORTS.stores).toResolvedValue(
    (stores, { idleSeconds, openProjects: maxOpen }, clock, logger, idle) =>
      new ClosingStores(stores, { clock, logger, idle, idleMs: idleSeconds * 1000, maxOpen }),
    [SQLITE_STORES, CONFIG, PORTS.clock, PORTS.logger, IDLE_PROJECTS],
  );
  bind(PORTS.backups).toResolvedValue(
    (stores, appDirs, clock) =>
      new SqliteBackups({ appDirs, clock, release: (projectPath) => stores.release(projectPath) }),
    [SQLITE_STORES, PORTS.appDirs, PORTS.clock],
  );
  bind(CHECK_STORE).toConstantValue(async () => {});
});

function createStores(
  { appDir, threads }: Config,
  { model, dimensions }: Embedder,
  appDirs: AppDirectories,
  clock: Clock,
  logger: Logger,
  { signal: stopWaiting }: AbortController,
): ReleasableStores {
  const settings = { appDir, model, dimensions, leaseHolder: newLeaseHolder() };
  const means = { appDirs, clock, logger, stopWaiting };
  return threads === 0
    ? new SqliteProjectStores({ ...settings, ...means })
    : inThreads(settings, { ...means, readers: threads });
}

function inThreads(
  settings: SqliteThreadSettings,
  { readers, ...means }: Means & { readonly readers: number },
): ThreadedProjectStores {
  return new ThreadedProjectStores({
    ...means,
    readers,
    workerFile: new URL('./sqlite-thread.js', import.meta.url),
    settings,
    makeNearby: (watched) => new SqliteProjectStores({ ...settings, ...means, ...NEARBY, watched }),
    locationOf: (projectPath) => databasePath(projectPath, means.appDirs.of(projectPath)),
  });
}

interface Means {
  readonly appDirs: AppDirectories;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopWaiting: AbortSignal;
}
