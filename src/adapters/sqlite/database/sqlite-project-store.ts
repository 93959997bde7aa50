import type { Clock } from '../../../ports/driven/clock.js';
import type { ProjectStore } from '../../../ports/driven/project-stores.js';
import { SqliteChunkStore } from '../chunks/sqlite-chunk-store.js';
import {
  CONTENT_TEXTS,
  QUESTION_TEXTS,
  SqliteEmbeddableTexts,
} from '../chunks/sqlite-embeddable-texts.js';
import { SqliteQuestionStore } from '../chunks/sqlite-question-store.js';
import { SqliteRetrievalLog } from '../chunks/sqlite-retrieval-log.js';
import { SqliteKeywordIndex } from '../keyword/sqlite-keyword-index.js';
import { ContentVectors } from '../vectors/content-vectors.js';
import { QuestionVectors } from '../vectors/question-vectors.js';
import { SqliteVectorIndex } from '../vectors/sqlite-vector-index.js';
import type { ProjectDatabase } from './project-database.js';
import { SqliteLeases } from './sqlite-leases.js';
import { SqliteRefillMark } from './sqlite-refill-mark.js';

export interface ProjectStoreOptions {
  readonly projectPath: string;
  readonly dbPath: string;
  /** The embedding model whose vectors count. */
  readonly model: string;
  /** Values of a vector of that model. */
  readonly dimensions: number;
  readonly clock: Clock;
}

/** Everything stored for one project, over one database. */
export function createProjectStore(
  database: ProjectDatabase,
  options: ProjectStoreOptions,
): ProjectStore {
  const { clock, model, dimensions } = options;
  const vectorOptions = { clock, dimensions };
  return {
    chunks: new SqliteChunkStore(database, options),
    keywords: new SqliteKeywordIndex(database),
    retrievals: new SqliteRetrievalLog(database),
    questions: new SqliteQuestionStore(database, model),
    vectors: new SqliteVectorIndex(database, new ContentVectors(model), vectorOptions),
    questionVectors: new SqliteVectorIndex(database, new QuestionVectors(model), vectorOptions),
    texts: {
      content: new SqliteEmbeddableTexts(database, CONTENT_TEXTS),
      questions: new SqliteEmbeddableTexts(database, QUESTION_TEXTS),
    },
    leases: new SqliteLeases(database, clock),
    refill: new SqliteRefillMark(database),
  };
}
