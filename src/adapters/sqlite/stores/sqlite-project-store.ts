import type { ProjectStore } from '../../../ports/project-stores.js';
import { SqliteQuestionStore } from '../chunks/embedded-texts.js';
import { SqliteCitations } from '../chunks/sqlite-citations.js';
import { SqliteSourceRepository } from '../chunks/sqlite-source-repository.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { SqliteKeywordIndex } from '../keyword/sqlite-keyword-index.js';
import { SqliteHeaders } from '../vectors/sqlite-headers.js';
import {
  SqliteVectorIndex,
  type SqliteVectorIndexOptions,
} from '../vectors/sqlite-vector-index.js';
import { CONTENT_VECTORS, QUESTION_VECTORS } from '../vectors/vector-kinds.js';
import { SqliteUpkeep } from './sqlite-upkeep.js';

export interface ProjectStoreOptions extends Omit<SqliteVectorIndexOptions, 'kind'> {
  readonly projectPath: string;
  /** As the store says it. */
  readonly location: string;
  readonly needsReindexing: boolean;
  /** In whose name leases are taken. */
  readonly leaseHolder: string;
}

/** Everything stored for one project, over one database. */
export function createProjectStore(
  database: SqliteDatabase,
  options: ProjectStoreOptions,
): ProjectStore {
  const { location, needsReindexing } = options;
  return {
    ...{ location, needsReindexing },
    chunks: new SqliteSourceRepository(database, options),
    keywords: new SqliteKeywordIndex(database),
    questions: new SqliteQuestionStore(database),
    citations: new SqliteCitations(database),
    vectors: new SqliteVectorIndex(database, { ...options, kind: CONTENT_VECTORS }),
    headers: new SqliteHeaders(database, options),
    questionVectors: new SqliteVectorIndex(database, { ...options, kind: QUESTION_VECTORS }),
    comparisonProblem: () => database.read((db) => options.extension.problemOn(db)),
    upkeep: new SqliteUpkeep(database, options),
  };
}
