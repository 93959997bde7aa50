import { join } from 'node:path';
import type { ResolutionContext } from 'inversify';
import { ProjectKeyFile } from '../../adapters/files/project-key-file.js';
import { PostgresProjectStores } from '../../adapters/postgres/stores/postgres-project-stores.js';
import { SqliteProjectStores } from '../../adapters/sqlite/stores/sqlite-project-stores.js';
import { SqliteStoresInMemory } from '../../adapters/sqlite/stores/sqlite-stores-in-memory.js';
import type { ProjectStores } from '../../ports/project-stores.js';
import type { StoreBackend } from '../config/config.js';
import { OwnChunkRepository } from '../projects/own-chunk-repository.js';
import { storesOverRepository } from '../projects/stores-over-repository.js';
import type { Composition } from './host.js';
import { checkMethods } from './required-methods.js';
import { PORTS, TOKENS } from './tokens.js';

type Get = ResolutionContext['get'];

/** The stores of the configured backend, or those based on the host's chunk repository. @throws ConfigError */
export function createStores(composition: Composition, get: Get): ProjectStores {
  const repository = get(TOKENS.chunkRepository);
  if (repository === undefined || repository instanceof OwnChunkRepository) {
    return BACKENDS[composition.config.backend](composition, get);
  }
  checkMethods('chunkRepository', repository);
  return storesOverRepository(BACKENDS.memory(composition, get), repository);
}

const BACKENDS: Readonly<Record<StoreBackend, typeof createStores>> = {
  /** One file per project, open while the project is in use. */
  sqlite: ({ config, host, stopping: stopWaiting }, get) => {
    const isWatched = host.sources === 'watched';
    return new SqliteProjectStores({
      ...commonOptions(get),
      appDirs: get(PORTS.appDirs),
      stopWaiting,
      ...(isWatched && { seenFile: join(config.dataDir, 'seen-databases') }),
    });
  },

  /** SQLite in the memory of the process; no file is written. */
  memory: (_, get) => new SqliteStoresInMemory(commonOptions(get)),

  /** One schema per project in a PostgreSQL database. */
  postgres: ({ config, stopping }, get) => {
    const keys = new ProjectKeyFile(get(PORTS.files), get(PORTS.appDirs));
    const { databaseUrl: url = '' } = config;
    return new PostgresProjectStores({ ...commonOptions(get), url, keys, stopping });
  },
};

function commonOptions(get: Get) {
  const { model, dimensions } = get(PORTS.embedder);
  return { model, dimensions, clock: get(PORTS.clock), logger: get(PORTS.logger) };
}
