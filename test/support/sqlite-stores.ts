import { appDirectories } from '../../src/adapters/files/app-directories.js';
import type { Database } from '../../src/adapters/sqlite/database/driver.js';
import {
  SqliteProjectStores,
  type SqliteProjectStoresOptions,
} from '../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import {
  SqliteStoresInMemory,
  type StoresInMemoryOptions,
} from '../../src/adapters/sqlite/stores/sqlite-stores-in-memory.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { SilentLogger } from '../fakes/silent-logger.js';

/** SQLite stores with a stopped clock, for vectors of a model that is never run. */
export function sqliteStores(
  options: Partial<SqliteProjectStoresOptions> = {},
): SqliteProjectStores {
  return new SqliteProjectStores({
    appDirs: appDirectories('.knowledge'),
    ...defaults(),
    ...options,
  });
}

/** Like `sqliteStores`, but in memory. */
export function memoryStores(options: Partial<StoresInMemoryOptions> = {}): SqliteStoresInMemory {
  return new SqliteStoresInMemory({ ...defaults(), ...options });
}

/** Databases that several stores in memory share, like processes share files. */
export class SharedDatabases extends Map<string, Database> {}

function defaults() {
  return {
    model: 'test-model',
    dimensions: EMBEDDING_DIMENSIONS,
    clock: new FixedClock(),
    logger: new SilentLogger(),
  };
}
