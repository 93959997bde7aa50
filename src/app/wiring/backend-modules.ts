import { ContainerModule } from 'inversify';
import { ProjectKeyFile } from '../../adapters/files/project-key-file.js';
import { PostgresProjectStores } from '../../adapters/postgres/stores/postgres-project-stores.js';
import { SqliteProjectStores } from '../../adapters/sqlite/stores/sqlite-project-stores.js';
import { SqliteStoresInMemory } from '../../adapters/sqlite/stores/sqlite-stores-in-memory.js';
import type { StoreBackend } from '../config/config.js';
import { CONFIG, PORTS, STOPPING } from './tokens.js';

/** The storage backends for chunks and vectors. */
export const BACKENDS: Readonly<Record<StoreBackend, ContainerModule>> = {
  /** One file per project, open while the project is in use. */
  sqlite: new ContainerModule(({ bind }) => {
    bind(PORTS.stores).toResolvedValue(
      ({ signal: stopWaiting }, { model, dimensions }, appDirs, clock, logger) =>
        new SqliteProjectStores({ appDirs, model, dimensions, clock, logger, stopWaiting }),
      [STOPPING, PORTS.embedder, PORTS.appDirs, PORTS.clock, PORTS.logger],
    );
  }),

  /** SQLite in the memory of the process; no file is written. */
  memory: new ContainerModule(({ bind }) => {
    bind(PORTS.stores).toResolvedValue(
      ({ model, dimensions }, clock, logger) =>
        new SqliteStoresInMemory({ model, dimensions, clock, logger }),
      [PORTS.embedder, PORTS.clock, PORTS.logger],
    );
  }),

  /** One schema per project in a PostgreSQL database. */
  postgres: new ContainerModule(({ bind }) => {
    bind(PORTS.stores).toResolvedValue(
      (
        { databaseUrl: url = '' },
        { signal: stopWaiting },
        { model, dimensions },
        files,
        appDirs,
        clock,
        logger,
      ) =>
        new PostgresProjectStores({
          ...{ url, model, dimensions, clock, logger, stopWaiting },
          keys: new ProjectKeyFile(files, appDirs),
        }),
      [CONFIG, STOPPING, PORTS.embedder, PORTS.files, PORTS.appDirs, PORTS.clock, PORTS.logger],
    );
  }),
};
