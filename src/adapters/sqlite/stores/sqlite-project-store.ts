import type { ProjectStore } from '../../../ports/driven/project-stores.js';
import type { RefillMark } from '../../../ports/driven/refill-mark.js';
import { SqliteChunkListing } from '../chunks/sqlite-chunk-listing.js';
import { SqliteChunkRepository } from '../chunks/sqlite-chunk-repository.js';
import { SqliteCitations } from '../chunks/sqlite-citations.js';
import {
  CONTENT_TEXTS,
  QUESTION_TEXTS,
  SqliteEmbeddableTexts,
  SqliteQuestionStore,
} from '../chunks/sqlite-embeddable-texts.js';
import { SqliteRetrievalLog } from '../chunks/sqlite-retrieval-log.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { clearState, stateOf } from '../database/store-state.js';
import { SqliteKeywordIndex } from '../keyword/sqlite-keyword-index.js';
import {
  SqliteVectorIndex,
  type SqliteVectorIndexOptions,
} from '../vectors/sqlite-vector-index.js';
import { CONTENT_VECTORS, QUESTION_VECTORS } from '../vectors/vector-kinds.js';
import { SqliteLeases } from './sqlite-leases.js';
import { SqliteStoreCare } from './sqlite-store-care.js';

export interface ProjectStoreOptions extends Omit<SqliteVectorIndexOptions, 'kind'> {
  readonly projectPath: string;
  readonly dbPath: string;
  /** In whose name leases are taken. */
  readonly leaseHolder: string;
}

/** Everything stored for one project, over one database. */
export function createProjectStore(
  database: ProjectDatabase,
  options: ProjectStoreOptions,
): ProjectStore {
  const { clock, leaseHolder } = options;
  return {
    chunks: new SqliteChunkRepository(database, options),
    keywords: new SqliteKeywordIndex(database),
    retrievals: new SqliteRetrievalLog(database),
    questions: new SqliteQuestionStore(database),
    citations: new SqliteCitations(database),
    vectors: new SqliteVectorIndex(database, { ...options, kind: CONTENT_VECTORS }),
    questionVectors: new SqliteVectorIndex(database, { ...options, kind: QUESTION_VECTORS }),
    comparisonProblem: () => database.read((db) => options.extension.problemOn(db)),
    texts: {
      content: new SqliteEmbeddableTexts(database, CONTENT_TEXTS),
      questions: new SqliteEmbeddableTexts(database, QUESTION_TEXTS),
    },
    leases: new SqliteLeases(database, clock, leaseHolder),
    refill: refillMark(database),
    listing: new SqliteChunkListing(database),
    care: new SqliteStoreCare(database),
  };
}

/** Set when a damaged database was set aside. */
function refillMark(database: ProjectDatabase): RefillMark {
  return {
    isSet: () => database.read((db) => stateOf(db, REFILL_NEEDED) !== undefined),
    clear: () => database.write((db) => clearState(db, REFILL_NEEDED)),
  };
}

/** The fact of this name: where the damaged database was moved to. */
export const REFILL_NEEDED = 'refill_needed';
