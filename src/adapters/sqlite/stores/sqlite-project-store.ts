import type { ProjectStore } from '../../../ports/project-stores.js';
import { SqliteCitations } from '../chunks/sqlite-citations.js';
import { SqliteSourceRepository } from '../chunks/sqlite-source-repository.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { SqliteKeywordIndex } from '../keyword/sqlite-keyword-index.js';
import {
  SqliteVectorIndex,
  type SqliteVectorIndexOptions,
} from '../vectors/sqlite-vector-index.js';
import { SqliteUpkeep } from './sqlite-upkeep.js';

export interface ProjectStoreOptions extends SqliteVectorIndexOptions {
  readonly projectPath: string;
  /** Where the data is, as the store reports it. */
  readonly location: string;
  readonly needsReindexing: boolean;
  /** The name under which leases are taken. */
  readonly leaseHolder: string;
}

/** Everything that is stored for one project, in one database. */
export function createProjectStore(
  database: SqliteDatabase,
  options: ProjectStoreOptions,
): ProjectStore {
  const { location, needsReindexing } = options;
  return {
    location,
    needsReindexing,
    chunks: new SqliteSourceRepository(database, options),
    keywords: new SqliteKeywordIndex(database),
    citations: new SqliteCitations(database),
    vectors: new SqliteVectorIndex(database, options),
    upkeep: new SqliteUpkeep(database, options),
  };
}
