import { ContainerModule } from 'inversify';
import { SqliteProjectStores } from '../../adapters/sqlite/stores/sqlite-project-stores.js';
import { CONFIG, PORTS, STOP_WAITING } from './tokens.js';

/** One SQLite file per project. */
export const sqliteModule = new ContainerModule(({ bind }) => {
  bind(PORTS.stores).toResolvedValue(
    ({ appDir }, { model, dimensions }, clock, logger, { signal }) =>
      new SqliteProjectStores({
        appDir,
        model,
        dimensions,
        clock,
        logger,
        stopWaiting: signal,
      }),
    [CONFIG, PORTS.embedder, PORTS.clock, PORTS.logger, STOP_WAITING],
  );
});
