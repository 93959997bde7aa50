import type { Database } from '../../src/adapters/sqlite/database/driver.js';
import {
  SqliteStoresInMemory,
  type StoresInMemoryOptions,
} from '../../src/adapters/sqlite/stores/sqlite-stores-in-memory.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { SilentLogger } from '../fakes/silent-logger.js';

/** The databases of several sets of stores, as several processes share them. */
export class SharedDatabases extends Map<string, Database> {}

/** SQLite in memory, for vectors as tests make them. */
export function memoryStores(options: Partial<StoresInMemoryOptions> = {}): SqliteStoresInMemory {
  return new SqliteStoresInMemory({
    model: 'test-model',
    dimensions: EMBEDDING_DIMENSIONS,
    clock: new FixedClock(),
    logger: new SilentLogger(),
    ...options,
  });
}
