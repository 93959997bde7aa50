import type { EmbeddingModel } from '../ports/embedder.js';
import type { Logger } from '../ports/logger.js';
import type { StaleChunks } from './citations/stale-chunks.js';
import type { MissingVectors } from './enrichment/missing-vectors.js';
import type { Indexing } from './ingestion/indexing.js';
import type { FeatureCompletion } from './lessons/feature-completion.js';
import type { LessonsForFeature } from './lessons/lessons-for-feature.js';
import type { Overview } from './overview/overview.js';
import type { Project } from './projects/project.js';
import type { ProjectSetup } from './projects/project-setup.js';
import type { StoreStatus } from './projects/store-status.js';
import type { Doctor } from './recovery/doctor.js';
import type { DatabaseImport } from './recovery/import-database.js';
import type { Digests } from './saved/digests.js';
import type { Documents } from './saved/documents.js';
import type { Notes } from './saved/notes.js';
import type { Pages } from './saved/pages.js';
import type { Search } from './search/search.js';
import type { ProjectsSearch } from './search/search-projects.js';
import type { Sources } from './sources/sources.js';
import type { Compaction } from './upkeep/compaction.js';
import type { Pruning } from './upkeep/pruning.js';

/**
 * The use cases: what every adapter that drives the service is given. Their methods take requests that were checked by the
 * schemas in `src/schemas`. Every method with a `projectPath`, the absolute path of an existing directory, may throw
 * KnowledgeError `invalid_request`, `path_not_allowed`, `project_not_found`, `schema_too_new`, `store_unavailable` or
 * `overloaded` (too many calls wait for the store, or one took too long); those that write may also throw `storage_full`.
 * The first call for a project opens its store, and creates it unless the method only reads.
 */
export interface Service {
  readonly search: Public<Search>;
  readonly projectsSearch: Public<ProjectsSearch>;
  readonly lessons: Public<LessonsForFeature>;
  readonly completion: Public<FeatureCompletion>;
  readonly notes: Public<Notes>;
  readonly documents: Public<Documents>;
  readonly pages: Public<Pages>;
  readonly digests: Public<Digests>;
  readonly sources: Public<Sources>;
  readonly stale: Public<StaleChunks>;
  readonly overview: Public<Overview>;
  readonly indexing: Public<Indexing>;
  readonly status: Public<StoreStatus>;
  readonly compaction: Public<Compaction>;
  readonly pruning: Public<Pruning>;
  readonly doctor: Public<Doctor>;
  readonly imports: Public<DatabaseImport>;
  readonly setup: Public<ProjectSetup>;
}

/** The use cases over the adapters of a configuration, and what a process needs to run them. */
export interface ComposedService extends Service {
  readonly logger: Logger;
  readonly embedder: EmbeddingModel;
  /** The nearest project upwards; undefined for the root of the file system, a home directory and what contains one. */
  nearestProject(directory: string): string | undefined;
  /** Of a process that ends: who makes the vectors that a project lacks then. */
  readonly missingVectors: MissingVectors;
  /** Begins the background work on the projects in use, where that was to begin later. */
  startBackgroundWork(): void;
  /** The projects in use. */
  inUse(): readonly Project[];
  /** Rejects if the server of the store, which only some backends have, cannot be used. */
  checkStore(): Promise<void>;
  /** Ends background work and closes every database; idempotent. Without it a program may not exit. */
  stop(): Promise<void>;
}

/** A class as a test can stand in for it. */
type Public<Class> = { readonly [Method in keyof Class]: Class[Method] };
