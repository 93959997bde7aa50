import type { Clock } from '../../../ports/driven/clock.js';
import type { ProjectStore } from '../../../ports/driven/project-stores.js';
import type { RefillMark } from '../../../ports/driven/refill-mark.js';
import { SqliteChunkRepository } from '../chunks/sqlite-chunk-repository.js';
import { SqliteCitations } from '../chunks/sqlite-citations.js';
import {
  CONTENT_TEXTS,
  QUESTION_TEXTS,
  SqliteEmbeddableTexts,
} from '../chunks/sqlite-embeddable-texts.js';
import { SqliteQuestionStore } from '../chunks/sqlite-question-store.js';
import { SqliteRetrievalLog } from '../chunks/sqlite-retrieval-log.js';
import { SqliteStoreRecords } from '../chunks/sqlite-store-records.js';
import { inodeOf } from '../database/file-identity.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { clearState, stateOf } from '../database/store-state.js';
import { SqliteKeywordIndex } from '../keyword/sqlite-keyword-index.js';
import { SqliteStoreCare } from '../upkeep/sqlite-store-care.js';
import { NeighbourIndex } from '../vectors/neighbour-index.js';
import { NeighbourUpkeep } from '../vectors/neighbour-upkeep.js';
import { SqliteVectorIndex } from '../vectors/sqlite-vector-index.js';
import type { VectorExtension } from '../vectors/vector-extension.js';
import { ContentVectors, QuestionVectors } from '../vectors/vector-tables.js';
import { SqliteLeases } from './sqlite-leases.js';

export interface ProjectStoreOptions {
  readonly projectPath: string;
  readonly dbPath: string;
  /** The embedding model whose vectors count. */
  readonly model: string;
  /** Values of a vector of that model. */
  readonly dimensions: number;
  readonly l1From: number;
  readonly extension: VectorExtension;
  /** In whose name leases are taken. */
  readonly leaseHolder: string;
  readonly clock: Clock;
}

/** Everything stored for one project, over one database. */
export function createProjectStore(
  database: ProjectDatabase,
  options: ProjectStoreOptions,
): ProjectStore {
  const { clock, model, leaseHolder } = options;
  const neighbours = neighbourIndex(options);
  return {
    chunks: new SqliteChunkRepository(database, options),
    keywords: new SqliteKeywordIndex(database),
    retrievals: new SqliteRetrievalLog(database),
    questions: new SqliteQuestionStore(database, model),
    citations: new SqliteCitations(database),
    ...createVectorIndexes(database, options, neighbours),
    texts: {
      content: new SqliteEmbeddableTexts(database, CONTENT_TEXTS),
      questions: new SqliteEmbeddableTexts(database, QUESTION_TEXTS),
    },
    leases: new SqliteLeases(database, clock, leaseHolder),
    refill: refillMark(database),
    records: new SqliteStoreRecords(database, options.projectPath),
    care: new SqliteStoreCare(database, { model, neighbours }),
  };
}

function neighbourIndex(options: ProjectStoreOptions): NeighbourIndex {
  return new NeighbourIndex(options.extension, { ...options, file: inodeOf(options.dbPath) });
}

/** Neighbours are only ever looked for among the vectors of contents. */
function createVectorIndexes(
  database: ProjectDatabase,
  { model, dimensions, extension, clock }: ProjectStoreOptions,
  index: NeighbourIndex,
): Pick<ProjectStore, 'vectors' | 'questionVectors'> {
  const parts = { dimensions, extension, clock };
  const neighbours = new NeighbourUpkeep(database, index);
  const vectors = { ...parts, table: new ContentVectors(model), neighbours };
  return {
    vectors: new SqliteVectorIndex(database, vectors),
    questionVectors: new SqliteVectorIndex(database, {
      ...parts,
      table: new QuestionVectors(model),
    }),
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
