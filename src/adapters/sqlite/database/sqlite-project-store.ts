import type { ProjectStore, RefillMark } from '../../../ports/driven/project-stores.js';
import {
  type ChunkRepositoryOptions,
  SqliteChunkRepository,
} from '../chunks/sqlite-chunk-repository.js';
import { ContentVectors } from '../vectors/content-vectors.js';
import { NeighbourIndex } from '../vectors/neighbour-index.js';
import { NeighbourUpkeep } from '../vectors/neighbour-upkeep.js';
import { QuestionVectors } from '../vectors/question-vectors.js';
import { SqliteVectorIndex } from '../vectors/sqlite-vector-index.js';
import type { VectorExtension } from '../vectors/vector-extension.js';
import type { ProjectDatabase } from './project-database.js';
import { SqliteLeases } from './sqlite-leases.js';
import { clearState, stateOf } from './store-state.js';

export interface ProjectStoreOptions extends ChunkRepositoryOptions {
  readonly extension: VectorExtension;
}

/** Everything stored for one project, over one database. */
export function createProjectStore(
  database: ProjectDatabase,
  options: ProjectStoreOptions,
): ProjectStore {
  const { clock, model, dimensions, extension } = options;
  const vectors = { model, dimensions };
  const neighbours = new NeighbourUpkeep(database, new NeighbourIndex(extension, vectors));
  const parts = { dimensions, extension, clock };
  return {
    chunks: new SqliteChunkRepository(database, options),
    vectors: new SqliteVectorIndex(database, {
      ...parts,
      table: new ContentVectors(vectors),
      neighbours,
    }),
    questionVectors: new SqliteVectorIndex(database, {
      ...parts,
      table: new QuestionVectors(vectors),
    }),
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
