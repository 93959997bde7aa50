import type { ProjectStore } from '../../../ports/project-stores.js';
import type { VectorModel } from '../../../ports/vector-index.js';
import { PostgresCitations } from '../chunks/postgres-citations.js';
import { PostgresSourceRepository } from '../chunks/postgres-source-repository.js';
import type { ProjectContext } from '../database/postgres-database.js';
import { PostgresKeywordIndex } from '../keyword/postgres-keyword-index.js';
import { PostgresVectorIndex } from '../vectors/postgres-vector-index.js';
import { PostgresUpkeep } from './postgres-upkeep.js';

export interface ProjectStoreOptions extends VectorModel {
  /** As the store says it. */
  readonly location: string;
  readonly needsReindexing: boolean;
  /** The present time of leases as an SQL expression. */
  readonly leaseTime?: (() => string) | undefined;
}

/** Everything stored for one project, over its schema. */
export function createProjectStore(
  project: ProjectContext,
  options: ProjectStoreOptions,
): ProjectStore {
  const { location, needsReindexing, model, dimensions, leaseTime } = options;
  const vectors = new PostgresVectorIndex(project, { model, dimensions });
  return {
    ...{ location, needsReindexing },
    chunks: new PostgresSourceRepository(project, model),
    keywords: new PostgresKeywordIndex(project),
    citations: new PostgresCitations(project),
    vectors,
    upkeep: new PostgresUpkeep(project, { model, vectors, leaseTime }),
  };
}
