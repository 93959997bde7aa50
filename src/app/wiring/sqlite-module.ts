import { ContainerModule } from 'inversify';
import { SqliteBackups } from '../../adapters/sqlite/backups/sqlite-backups.js';
import { databasePath } from '../../adapters/sqlite/database/store-files.js';
import { newLeaseHolder } from '../../adapters/sqlite/stores/sqlite-leases.js';
import { NEARBY, SqliteProjectStores } from '../../adapters/sqlite/stores/sqlite-project-stores.js';
import { ThreadedProjectStores } from '../../adapters/store-threads/threaded-project-stores.js';
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
    (stores, { appDir }, clock) =>
      new SqliteBackups({ appDir, clock, release: (projectPath) => stores.release(projectPath) }),
    [SQLITE_STORES, CONFIG, PORTS.clock],
  );
  bind(CHECK_STORE).toConstantValue(async () => {});
});

function createStores(
  { appDir, threads }: Config,
  { model, dimensions }: Embedder,
  clock: Clock,
  logger: Logger,
  { signal: stopWaiting }: AbortController,
): ReleasableStores {
  const settings = { appDir, model, dimensions, leaseHolder: newLeaseHolder() };
  const means = { clock, logger, stopWaiting };
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
    locationOf: (projectPath) => databasePath(projectPath, settings.appDir),
  });
}

interface Means {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopWaiting: AbortSignal;
}
