import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { ProjectStores } from '../../ports/project-stores.js';
import type { VectorModel } from '../../ports/vector-index.js';
import { onFirstCall } from '../../shared/on-first-call.js';
import type { StoreBackend } from '../config/config.js';
import { CONFIG, HOST, PORTS, STOPPING } from './tokens.js';

/** The storage backends for chunks and vectors. */
export const BACKENDS: Readonly<Record<StoreBackend, ContainerModule>> = {
  /** One file per project, open while the project is in use. */
  sqlite: new ContainerModule(({ bind }) => {
    bind(PORTS.stores).toResolvedValue(
      (
        { sources },
        { dataDir },
        { signal: stopWaiting },
        { model, dimensions },
        appDirs,
        clock,
        logger,
      ) =>
        lazyStores(async () => {
          const { SqliteProjectStores } = await import(
            '../../adapters/sqlite/stores/sqlite-project-stores.js'
          );
          const seenFile = sources === 'watched' ? join(dataDir, 'seen-databases') : undefined;
          const options = { appDirs, model, dimensions, clock, logger, stopWaiting, seenFile };
          return new SqliteProjectStores(options);
        }),
      [HOST, CONFIG, STOPPING, PORTS.embedder, PORTS.appDirs, PORTS.clock, PORTS.logger],
    );
  }),

  /** SQLite in the memory of the process; no file is written. */
  memory: new ContainerModule(({ bind }) => {
    bind(PORTS.stores).toResolvedValue(
      ({ model, dimensions }, clock, logger) =>
        storesInMemory({ model, dimensions, clock, logger }),
      [PORTS.embedder, PORTS.clock, PORTS.logger],
    );
  }),

  /** One schema per project in a PostgreSQL database. */
  postgres: new ContainerModule(({ bind }) => {
    bind(PORTS.stores).toResolvedValue(
      (
        { databaseUrl: url = '' },
        { signal: stopping },
        { model, dimensions },
        files,
        appDirs,
        clock,
        logger,
      ) =>
        lazyStores(async () => {
          const [{ PostgresProjectStores }, { ProjectKeyFile }] = await Promise.all([
            import('../../adapters/postgres/stores/postgres-project-stores.js'),
            import('../../adapters/files/project-key-file.js'),
          ]);
          const keys = new ProjectKeyFile(files, appDirs);
          const options = { url, keys, model, dimensions, clock, logger, stopping };
          return new PostgresProjectStores(options);
        }),
      [CONFIG, STOPPING, PORTS.embedder, PORTS.files, PORTS.appDirs, PORTS.clock, PORTS.logger],
    );
  }),
};

/** Stores that end with the process. */
export function storesInMemory(options: VectorModel & MemoryDeps): ProjectStores {
  return lazyStores(async () => {
    const { SqliteStoresInMemory } = await import(
      '../../adapters/sqlite/stores/sqlite-stores-in-memory.js'
    );
    return new SqliteStoresInMemory(options);
  });
}

interface MemoryDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

function lazyStores(load: () => Promise<ProjectStores>): ProjectStores {
  return onFirstCall(['open', 'find', 'connect', 'close'], load);
}
