import type { ProjectStore, RefillMark } from '../../../ports/driven/project-stores.js';
import {
  type ChunkRepositoryOptions,
  SqliteChunkRepository,
} from '../chunks/sqlite-chunk-repository.js';
import { ContentVectors } from '../vectors/content-vectors.js';
import { QuestionVectors } from '../vectors/question-vectors.js';
import { SqliteVectorIndex } from '../vectors/sqlite-vector-index.js';
import type { ProjectDatabase } from './project-database.js';
import { SqliteLeases } from './sqlite-leases.js';
import { clearState, stateOf } from './store-state.js';

/** Everything stored for one project, over one database. */
export function createProjectStore(
  database: ProjectDatabase,
  options: ChunkRepositoryOptions,
): ProjectStore {
  const { clock, model } = options;
  return {
    chunks: new SqliteChunkRepository(database, options),
    vectors: new SqliteVectorIndex(database, new ContentVectors(model), clock),
    questionVectors: new SqliteVectorIndex(database, new QuestionVectors(model), clock),
    refill: new SqliteRefillMark(database),
    leases: new SqliteLeases(database, clock),
  };
}

export const REFILL_NEEDED = 'refill_needed';

class SqliteRefillMark implements RefillMark {
  readonly #database: ProjectDatabase;

  constructor(database: ProjectDatabase) {
    this.#database = database;
  }

  isNeeded(): Promise<boolean> {
    return this.#database.read((db) => stateOf(db, REFILL_NEEDED) !== undefined);
  }

  async clear(): Promise<void> {
    await this.#database.write((db) => clearState(db, REFILL_NEEDED));
  }
}
