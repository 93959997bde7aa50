import type { ProjectStore } from '../../../ports/project-stores.js';
import { SqliteQuestionStore } from '../chunks/embedded-texts.js';
import { addChunks, addSources } from '../chunks/import-rows.js';
import { SqliteCitations } from '../chunks/sqlite-citations.js';
import { SqliteRetrievalLog } from '../chunks/sqlite-retrieval-log.js';
import { SqliteSourceRepository } from '../chunks/sqlite-source-repository.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { SqliteKeywordIndex } from '../keyword/sqlite-keyword-index.js';
import { SqliteHeaders } from '../vectors/sqlite-headers.js';
import {
  SqliteVectorIndex,
  type SqliteVectorIndexOptions,
} from '../vectors/sqlite-vector-index.js';
import { CONTENT_VECTORS, QUESTION_VECTORS } from '../vectors/vector-kinds.js';
import { SqliteLeases } from './sqlite-leases.js';
import { SqliteMaintenance } from './sqlite-maintenance.js';

export interface ProjectStoreOptions extends Omit<SqliteVectorIndexOptions, 'kind'> {
  readonly projectPath: string;
  /** As the store says it. */
  readonly location: string;
  /** In whose name leases are taken. */
  readonly leaseHolder: string;
}

/** Everything stored for one project, over one database. */
export function createProjectStore(
  database: SqliteDatabase,
  options: ProjectStoreOptions,
): ProjectStore {
  const { location, clock, leaseHolder } = options;
  return {
    location,
    chunks: new SqliteSourceRepository(database, options),
    keywords: new SqliteKeywordIndex(database),
    retrievals: new SqliteRetrievalLog(database),
    questions: new SqliteQuestionStore(database),
    citations: new SqliteCitations(database),
    vectors: new SqliteVectorIndex(database, { ...options, kind: CONTENT_VECTORS }),
    headers: new SqliteHeaders(database, options),
    questionVectors: new SqliteVectorIndex(database, { ...options, kind: QUESTION_VECTORS }),
    comparisonProblem: () => database.read((db) => options.extension.problemOn(db)),
    leases: new SqliteLeases(database, clock, leaseHolder),
    imports: {
      addChunks: (chunks) => database.write((db) => addChunks(db, chunks, options)),
      addSources: (sources) => database.write((db) => addSources(db, sources)),
    },
    maintenance: new SqliteMaintenance(database),
  };
}
