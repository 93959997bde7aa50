import type { ImportBatch, ImportCounts } from './chunk-import.js';
import type { CitationStore } from './citation-store.js';
import type { KeywordIndex } from './keyword-index.js';
import type { SourceRepository } from './source-repository.js';
import type { VectorIndex } from './vector-index.js';

/** Everything that is stored for one project, as named capabilities. */
export interface ProjectStore {
  /** Where it is stored, for display: a path, or a URL without credentials. */
  readonly location: string;
  /** Whether the store, when it was opened, was one that replaces a damaged one and must be filled from its sources. */
  readonly needsReindexing: boolean;
  readonly chunks: SourceRepository;
  readonly keywords: KeywordIndex;
  readonly citations: CitationStore;
  readonly vectors: VectorIndex;
  readonly upkeep: StoreUpkeep;
}

/**
 * The stores of all projects. A store that was closed because it was idle is opened again by its next call.
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
   * Takes the lease, or renews it for its holder, for `durationMs` from now by the clock of the
   * store. Returns false while another holder has it. A lease is free once it has expired or its
   * holder is known to have died; so is one that ends later than `LONGEST_LEASE_MS` from now, which
   * means that the clock was set back.
   */
  acquire(name: string, durationMs: number): Promise<boolean>;
  /** Frees the lease if this holder has it. */
  release(name: string): Promise<void>;
  /** Whether this holder or another one has the lease. */
  isHeld(name: string): Promise<boolean>;
}

/** A finding about the store. */
export interface StoreFinding {
  /**
   * `damaged`: the database cannot be read; a repair sets it aside, and its sources are indexed again.
   * `index_outdated`: the full-text index and the chunks do not agree; a repair rebuilds it.
   * `left_out`: a former database was adopted, and some of its rows did not fit; needs no action.
   * `set_aside`: a former database is kept beside the store; needs no action.
   */
  readonly code: 'damaged' | 'index_outdated' | 'left_out' | 'set_aside';
  /** The problem and its remedy, as one sentence. */
  readonly sentence: string;
  /** Whether the call that returned it has repaired it. */
  readonly repaired?: true;
}

/**
 * `examine`: reads everything that is stored, which takes seconds for a large store; changes nothing. `repair`: also
 * rebuilds an index that is wrong, and sets a damaged database aside, after which the next `open` creates an empty one
 * that `needsReindexing`. `rebuild`: rebuilds the full-text index from the chunks, even if it matches them, without
 * examining anything, and remembers that the store is filled. Concurrent searches use the old index; an interrupted
 * rebuild changes nothing.
 */
export type MaintenanceTask = 'examine' | 'repair' | 'rebuild';

/** Dependencies of the upkeep of one project's store. */
export interface StoreUpkeep extends Leases {
  /** Adds a part of another database, the whole part or, if that fails, none of it; idempotent. */
  import(batch: Pick<ImportBatch, 'chunks' | 'sources'>): Promise<ImportCounts>;
  /** Returns the problems found. A store whose engine takes care of this itself finds none. */
  maintain(task: MaintenanceTask): Promise<readonly StoreFinding[]>;
}
