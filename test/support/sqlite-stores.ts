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

/** SQLite stores for vectors of a model that is never run, with a clock that stands still. */
export function sqliteStores(
  options: Partial<SqliteProjectStoresOptions> = {},
): SqliteProjectStores {
  return new SqliteProjectStores({
    appDirs: appDirectories('.knowledge'),
    ...defaults(),
    ...options,
  });
}

/** The same in memory. */
export function memoryStores(options: Partial<StoresInMemoryOptions> = {}): SqliteStoresInMemory {
  return new SqliteStoresInMemory({ ...defaults(), ...options });
}

/** The databases of several stores in memory, as several processes share them. */
export class SharedDatabases extends Map<string, Database> {}

function defaults() {
  return {
    model: 'test-model',
    dimensions: EMBEDDING_DIMENSIONS,
    clock: new FixedClock(),
    logger: new SilentLogger(),
  };
}
