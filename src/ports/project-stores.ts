import type { ChunkImport } from './chunk-import.js';
import type { CitationStore } from './citation-store.js';
import type { HeaderIndex } from './header-index.js';
import type { KeywordIndex } from './keyword-index.js';
import type { Leases } from './leases.js';
import type { QuestionStore } from './question-store.js';
import type { RetrievalLog } from './retrieval-log.js';
import type { SourceRepository } from './source-repository.js';
import type { StoreMaintenance } from './store-maintenance.js';
import type { VectorIndex } from './vector-index.js';

/** Everything that is stored for one project, as named capabilities. */
export interface ProjectStore {
  /** Where it is stored, for display: a path, or a URL without credentials. */
  readonly location: string;
  readonly chunks: SourceRepository;
  readonly keywords: KeywordIndex;
  readonly retrievals: RetrievalLog;
  readonly questions: QuestionStore;
  readonly citations: CitationStore;
  /** Vectors of the contents of chunks. */
  readonly vectors: VectorIndex;
  /** Vectors of the titles and paths of sources. */
  readonly headers: HeaderIndex;
  /** Vectors of the questions of chunks; pending only for chunks that have questions. */
  readonly questionVectors: VectorIndex;
  /**
   * Why vectors cannot be compared here, as a sentence; undefined where they can. Where they cannot,
   * they are stored all the same, and no chunk has a similarity or a neighbour.
   */
  comparisonProblem(): Promise<string | undefined>;
  readonly leases: Leases;
  readonly imports: ChunkImport;
  readonly maintenance: StoreMaintenance;
}

/**
 * The stores of all projects. One that was closed because nobody used it is opened again by its next call.
 *
 * `projectPath` is the absolute, canonical path of an existing directory.
 */
export interface ProjectStores {
  /**
   * Opens the store of a project, and creates it on first use. Concurrent calls open it only once;
   * after a failure the next call tries again.
   * @throws KnowledgeError `schema_too_new`, `store_unavailable`, `storage_full`
   */
  open(projectPath: string): Promise<ProjectStore>;
  /**
   * Opens the store of a project if it exists. Otherwise returns undefined and creates nothing.
   * @throws KnowledgeError as `open` does
   */
  find(projectPath: string): Promise<ProjectStore | undefined>;
  /** Rejects if the server of the stores, which only some backends have, cannot be used. */
  connect?(): Promise<void>;
  /** Waits for running operations and closes every store; idempotent. Later calls throw `store_unavailable`. */
  close(): Promise<void>;
}
