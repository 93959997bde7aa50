import type { Logger } from '../../../ports/driven/logger.js';
import type { ProjectStore } from '../../../ports/driven/project-stores.js';
import type { RefillMark } from '../../../ports/driven/refill-mark.js';
import { PostgresChunkRepository } from '../chunks/postgres-chunk-repository.js';
import {
  CONTENT_TEXTS,
  PostgresEmbeddableTexts,
  QUESTION_TEXTS,
} from '../chunks/postgres-embeddable-texts.js';
import { PostgresQuestionStore } from '../chunks/postgres-question-store.js';
import { PostgresRetrievalLog } from '../chunks/postgres-retrieval-log.js';
import { PostgresStoreRecords } from '../chunks/postgres-store-records.js';
import type { ProjectContext } from '../database/project-database.js';
import { PROJECTS } from '../database/registry.js';
import { OptionalIndexes } from '../indexes/optional-indexes.js';
import { BM25_INDEX, bm25IndexDefinition } from '../keyword/bm25-index.js';
import { PostgresKeywordIndex } from '../keyword/postgres-keyword-index.js';
import { neighbourIndexDefinition, neighbourIndexName } from '../vectors/neighbour-index.js';
import { PostgresVectorIndex } from '../vectors/postgres-vector-index.js';
import { PostgresLeases } from './postgres-leases.js';

/** Number of chunks of a project from which it has an index; below, everything is computed exactly. */
export interface IndexThresholds {
  readonly keyword: number;
  readonly neighbours: number;
}

export interface ProjectStoreOptions {
  /** The embedding model whose vectors count. */
  readonly model: string;
  /** Values of a vector of that model. */
  readonly dimensions: number;
  readonly thresholds: IndexThresholds;
  /** The present time of leases as an SQL expression. */
  readonly leaseTime?: (() => string) | undefined;
  readonly logger: Logger;
}

export interface OpenProjectStore {
  readonly store: ProjectStore;
  readonly indexes: OptionalIndexes;
}

/** Everything stored for one project, over its schema. */
export function createProjectStore(
  project: ProjectContext,
  options: ProjectStoreOptions,
): OpenProjectStore {
  const { model, leaseTime } = options;
  const indexes = optionalIndexes(project, options);
  const parts = { ...options, indexes };
  const store = {
    chunks: new PostgresChunkRepository(project, indexes),
    keywords: new PostgresKeywordIndex(project, indexes),
    retrievals: new PostgresRetrievalLog(project),
    questions: new PostgresQuestionStore(project, model),
    vectors: new PostgresVectorIndex(project, { ...parts, kind: CONTENT_TEXTS }),
    questionVectors: new PostgresVectorIndex(project, { ...parts, kind: QUESTION_TEXTS }),
    texts: {
      content: new PostgresEmbeddableTexts(project, CONTENT_TEXTS),
      questions: new PostgresEmbeddableTexts(project, QUESTION_TEXTS),
    },
    leases: new PostgresLeases(project, leaseTime),
    refill: refillMark(project),
    records: new PostgresStoreRecords(project, indexes),
    care: CARED_FOR,
  };
  return { store, indexes };
}

/** In the table of projects, where it is set when the schema of a project was missing. */
function refillMark({ database, schema }: ProjectContext): RefillMark {
  return {
    isSet: async () => {
      const sql = `SELECT 1 FROM ${PROJECTS} WHERE schema_name = $1 AND refill_needed`;
      return (await database.rows(sql, [schema])).length > 0;
    },
    clear: async () => {
      const sql = `UPDATE ${PROJECTS} SET refill_needed = false WHERE schema_name = $1`;
      await database.write(sql, [schema]);
    },
  };
}

/** The server checks and repairs its own files; what is derived is made again by a rebuild. */
const CARED_FOR = {
  examine: async () => [],
  repair: async () => [],
  repairIndexes: async () => {},
};

function optionalIndexes(project: ProjectContext, options: ProjectStoreOptions): OptionalIndexes {
  const { schema } = project;
  const { keyword, neighbours } = options.thresholds;
  const indexes = [
    {
      name: BM25_INDEX,
      definition: bm25IndexDefinition(schema),
      fromChunks: keyword,
      isPartlyInMemory: true,
    },
    {
      name: neighbourIndexName(options),
      definition: neighbourIndexDefinition(schema, options),
      fromChunks: neighbours,
      isPartlyInMemory: false,
    },
  ];
  return new OptionalIndexes(project, indexes, options.logger);
}
