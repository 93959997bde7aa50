import { ContainerModule } from 'inversify';
import { SqliteProjectStores } from '../../adapters/sqlite/database/sqlite-project-stores.js';
import { CONFIG, PORTS } from './tokens.js';

/** One SQLite file per project. */
export const sqliteModule = new ContainerModule(({ bind }) => {
  bind(PORTS.stores).toResolvedValue(
    ({ appDir }, { model, dimensions }, clock, logger) =>
      new SqliteProjectStores({ appDir, model, dimensions, clock, logger }),
    [CONFIG, PORTS.embedder, PORTS.clock, PORTS.logger],
  );
});
