import type { ImportBatch, ImportCounts } from './chunk-import.js';
import type { CitationStore } from './citation-store.js';
import type { KeywordIndex } from './keyword-index.js';
import type { SourceRepository } from './source-repository.js';
import type { VectorIndex } from './vector-index.js';

/** All stored data of one project, as named capabilities. */
export interface ProjectStore {
  /** Location for display: a path, or a URL without credentials. */
  readonly location: string;
  /** Whether the store replaced a damaged one when it was opened, and must be filled from its sources. */
  readonly needsReindexing: boolean;
  readonly chunks: SourceRepository;
  readonly keywords: KeywordIndex;
  readonly citations: CitationStore;
  readonly vectors: VectorIndex;
  readonly upkeep: StoreUpkeep;
}

/**
 * The stores of all projects. A store closed because it was idle reopens at the next call.
 *
 * `projectPath` is the absolute, canonical path of an existing directory.
 */
export interface ProjectStores {
  /**
   * Opens the store of a project; creates it on first use. Concurrent calls open it only once; after a failure the next
   * call tries again.
   * @throws KnowledgeError `schema_too_new`, `store_unavailable`, `storage_full`
   */
  open(projectPath: string): Promise<ProjectStore>;
  /**
   * Opens the store of a project if it exists. Otherwise returns undefined and creates nothing.
   * @throws KnowledgeError as `open` does
   */
  find(projectPath: string): Promise<ProjectStore | undefined>;
  /** Connects to the database server, if the backend has one. Rejects if it cannot be used. */
  connect?(): Promise<void>;
  /** Waits for running operations and closes every store; idempotent. Later calls throw `store_unavailable`. */
  close(): Promise<void>;
}

/**
 * Keeps two processes from doing the same background work on one project. A lease avoids duplicate work, but is not a
 * lock: nothing may break if two processes hold it at once.
 *
 * Every method may throw KnowledgeError `store_unavailable` or `storage_full`.
 */
export interface Leases {
  /**
   * Takes or renews the lease for `durationMs` from now by the store's clock. Returns false while another holder has
   * it. A lease is free once it has expired or its holder is known to have died. It is also free if it ends later than
   * `LONGEST_LEASE_MS` from now, because the clock was set back.
   */
  acquire(name: string, durationMs: number): Promise<boolean>;
  /** Frees the lease if this holder has it. */
  release(name: string): Promise<void>;
  /** Whether any holder has the lease. */
  isHeld(name: string): Promise<boolean>;
}

/** A finding about the store. */
export interface StoreFinding {
  /**
   * `damaged`: the database cannot be read; a repair sets it aside and indexes the sources again. `index_outdated`: the
   * full-text index and the chunks do not agree; a repair rebuilds it. `left_out`: a former database was adopted, and
   * some of its rows did not fit; needs no action. `set_aside`: a former database is kept beside the store; needs no
   * action.
   */
  readonly code: 'damaged' | 'index_outdated' | 'left_out' | 'set_aside';
  /** The problem and its remedy, as one sentence. */
  readonly sentence: string;
  /** Set if the call that returned this finding also repaired the problem. */
  readonly repaired?: true;
}

/**
 * - `examine`: reads all stored data, which takes seconds for a large store; changes nothing.
 * - `repair`: examines, rebuilds an inconsistent index, and sets a damaged database aside; the next `open` then creates
 *   an empty store that `needsReindexing`.
 * - `rebuild`: rebuilds the full-text index from the chunks without examining anything, and records that the store is
 *   filled. Concurrent searches use the old index; an interrupted rebuild changes nothing.
 */
export type MaintenanceTask = 'examine' | 'repair' | 'rebuild';

/** The upkeep of one project's store. */
export interface StoreUpkeep extends Leases {
  /** Adds a batch of another database, entirely or, on failure, not at all; idempotent. */
  import(batch: Pick<ImportBatch, 'chunks' | 'sources'>): Promise<ImportCounts>;
  /** Returns the problems found; none if the store's engine maintains itself. */
  maintain(task: MaintenanceTask): Promise<readonly StoreFinding[]>;
}
