/**
 * The SQLite stores as parts, for programs that compose a backend of their own: with other vectors by
 * `withVectorIndexes`, or with one store replaced in what `open` returns.
 */
import { appDirectories } from './adapters/files/app-directories.js';
import { SqliteProjectStores } from './adapters/sqlite/stores/sqlite-project-stores.js';
import { systemClock } from './adapters/system/system-clock.js';
import { FIELDS } from './app/config/fields.js';
import { EMBEDDING_DIMENSIONS } from './domain/limits.js';
import type { Clock } from './ports/driven/clock.js';
import type { Logger } from './ports/driven/logger.js';
import type { ProjectStores } from './ports/driven/project-stores.js';

export interface SqliteStoresOptions {
  /** Name of the folder in each project that contains the database; default: the one that the project has, else `.knowledge`. */
  readonly appDir?: string;
  /** The embedding model whose vectors count; default `Xenova/all-MiniLM-L6-v2`. */
  readonly model?: string;
  /** Number of values of a vector of that model; default 384. */
  readonly dimensions?: number;
  /** Default: the clock of the system. */
  readonly clock?: Clock;
  /** Default: nothing is logged. */
  readonly logger?: Logger;
}

/**
 * One SQLite file per project, as `createKnowledgeStore` uses by default.
 *
 * @example
 * ```js
 * import { createKnowledgeStore, withVectorIndexes } from 'knowledge-store';
 * import { sqliteStores } from 'knowledge-store/sqlite';
 *
 * const stores = withVectorIndexes(sqliteStores(), (texts, place) => new MyIndex(texts, place));
 * const { store, stop } = createKnowledgeStore({ backends: { stores } });
 * ```
 */
export function sqliteStores({ appDir, ...options }: SqliteStoresOptions = {}): ProjectStores {
  return new SqliteProjectStores({
    appDirs: appDirectories(appDir),
    model: FIELDS.model.byDefault,
    dimensions: EMBEDDING_DIMENSIONS,
    clock: systemClock,
    logger: SILENT,
    ...options,
  });
}

const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
