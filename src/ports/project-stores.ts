import type { ChunkImport } from './chunk-import.js';
import type { CitationStore } from './citation-store.js';
import type { KeywordIndex } from './keyword-index.js';
import type { RetrievalLog } from './retrieval-log.js';
import type { SourceRepository } from './source-repository.js';
import type { HeaderIndex, QuestionStore, VectorIndex } from './vector-index.js';

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

/**
 * Keeps two processes from doing the same background work on one project. A lease avoids duplicate
 * work; it is not a lock: nothing may break if two processes hold it at once.
 *
 * Every method may throw KnowledgeError `store_unavailable` or `storage_full`.
 */
export interface Leases {
  /**
   * Takes the lease, or renews it for its holder, for `durationMs` from now by the clock of the store.
   * Returns false while another holder has it. A lease is free once it has expired or its holder is
   * known to have died. All holders of a name use the same duration; a lease that expires later than
   * `durationMs` from now is invalid and counts as free.
   */
  acquire(name: string, durationMs: number): Promise<boolean>;
  /** Whether somebody has the lease, this holder or another; with the duration that all holders of the name use. */
  isHeld(name: string, durationMs: number): Promise<boolean>;
  /** Releases a lease; does nothing if another holder has it. */
  release(name: string): Promise<void>;
}

/** A finding about the store. */
export interface StoreFinding {
  /**
   * `damaged`: the database cannot be read; a repair sets it aside, and its sources are indexed again.
   * `index_outdated`: the full-text index and the chunks do not agree; a repair rebuilds it.
   * `left_out`: a former database was adopted, and some of its rows did not fit; needs no action.
   */
  readonly code: 'damaged' | 'index_outdated' | 'left_out';
  /** What is wrong, and what was or can be done, as one sentence. */
  readonly sentence: string;
  /** Whether the call that returned it has repaired it. */
  readonly repaired?: true;
}

/**
 * Finds and repairs what is wrong with what is stored for a project. A store whose engine takes care of this itself finds
 * nothing.
 *
 * Every method may throw KnowledgeError `store_unavailable` and `storage_full`.
 */
export interface StoreMaintenance {
  /** Reads everything that is stored, which takes seconds for a large store; changes nothing. */
  examine(): Promise<readonly StoreFinding[]>;
  /**
   * Rebuilds indexes that are wrong, and sets a damaged database aside, after which the next use of the store creates
   * an empty one that `needsReindexing`. Returns what was wrong.
   */
  repair(): Promise<readonly StoreFinding[]>;
  /** Whether the store replaces a damaged one and must be filled from its sources; the same for every process. */
  needsReindexing(): Promise<boolean>;
  /** Says that it was filled; idempotent. */
  reindexed(): Promise<void>;
}
