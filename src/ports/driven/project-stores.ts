import type { ChunkRepository } from './chunk-repository.js';
import type { VectorIndex } from './vector-index.js';

/** Everything that is stored for one project. */
export interface ProjectStore {
  readonly chunks: ChunkRepository;
  /** Vectors of the contents of chunks. */
  readonly vectors: VectorIndex;
  /** Vectors of the questions that chunks answer (HyPE); pending only for chunks that have questions. */
  readonly questionVectors: VectorIndex;
  readonly refill: RefillMark;
  readonly leases: Leases;
}

/** Remembers, over restarts, that a damaged store was made anew and lacks its sources still. */
export interface RefillMark {
  isNeeded(): Promise<boolean>;
  clear(): Promise<void>;
}

/** Keeps two processes from doing the same background work. A lease is a courtesy, never a lock. */
export interface Leases {
  /** Takes or renews a lease until `until`; false while another holder has it. */
  acquire(name: string, until: Date): Promise<boolean>;
  release(name: string): Promise<void>;
}

/** Opens the store of a project: one for each project for the life of the process. */
export interface ProjectStores {
  /**
   * Opens the store, which is created on first use with everything it needs inside the application
   * directory. Calls made at once share one opening; a failed opening is tried again by the next call.
   * A damaged database is set aside and a new one made whose refill mark is set.
   * @param projectPath absolute path of an existing directory
   * @throws KnowledgeError `schema_too_new`, `store_unavailable`, `storage_full`
   */
  open(projectPath: string): Promise<ProjectStore>;
  /** Closes every store; an operation under way is finished first. */
  close(): Promise<void>;
}
