import { ContainerModule } from 'inversify';
import { SqliteProjectStores } from '../../adapters/sqlite/stores/sqlite-project-stores.js';
import { CHECK_STORE, CONFIG, NEIGHBOURS, PORTS, STOP_WAITING } from './tokens.js';

/** One SQLite file per project, open while the project is in use. */
export const sqliteModule = new ContainerModule(({ bind }) => {
  bind(PORTS.stores).toResolvedValue(
    (
      { idleSeconds, openProjects: maxOpen },
      { model, dimensions },
      appDirs,
      clock,
      logger,
      { signal: stopWaiting },
      neighbours,
    ) => {
      const idleMs = idleSeconds * 1000;
      const settings = { appDirs, model, dimensions, idleMs, maxOpen, ...neighbours };
      return new SqliteProjectStores({ ...settings, clock, logger, stopWaiting });
    },
    [CONFIG, PORTS.embedder, PORTS.appDirs, PORTS.clock, PORTS.logger, STOP_WAITING, NEIGHBOURS],
  );
  bind(CHECK_STORE).toConstantValue(async () => {});
});
