import { ContainerModule } from 'inversify';
import { SqliteProjectStores } from '../../adapters/sqlite/database/sqlite-project-stores.js';
import { EMBEDDING_DIMENSIONS } from '../../domain/limits.js';
import { ConfigError } from '../config/config.js';
import { CONFIG, PORTS } from './tokens.js';

/** One SQLite file per project. */
export const sqliteModule = new ContainerModule(({ bind }) => {
  bind(PORTS.stores).toResolvedValue(
    ({ appDir }, { model, dimensions }, clock, logger) => {
      if (dimensions !== EMBEDDING_DIMENSIONS) {
        throw new ConfigError(
          `backends.embedder must have ${EMBEDDING_DIMENSIONS} dimensions, which is what the database stores.`,
        );
      }
      return new SqliteProjectStores({ appDir, model, clock, logger });
    },
    [CONFIG, PORTS.embedder, PORTS.clock, PORTS.logger],
  );
});
