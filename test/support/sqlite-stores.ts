import { appDirectories } from '../../src/adapters/files/app-directories.js';
import {
  SqliteProjectStores,
  type SqliteProjectStoresOptions,
} from '../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { SilentLogger } from '../fakes/silent-logger.js';

/** SQLite stores for vectors of a model that is never run, with a clock that stands still. */
export function sqliteStores(
  options: Partial<SqliteProjectStoresOptions> = {},
): SqliteProjectStores {
  return new SqliteProjectStores({
    appDirs: appDirectories('.knowledge'),
    model: 'test-model',
    dimensions: EMBEDDING_DIMENSIONS,
    clock: new FixedClock(),
    logger: new SilentLogger(),
    ...options,
  });
}
