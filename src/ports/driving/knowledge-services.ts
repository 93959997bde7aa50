import type { CitationService } from './citation-service.js';
import type { DigestService } from './digest-service.js';
import type { DocumentsService } from './documents-service.js';
import type { EmbeddingService } from './embedding-service.js';
import type { FeatureLifecycle } from './feature-lifecycle.js';
import type { KnowledgeStore } from './knowledge-store.js';
import type { NotesService } from './notes-service.js';
import type { OverviewService } from './overview-service.js';
import type { PageService } from './page-service.js';
import type { ProjectsSearch } from './projects-search.js';
import type { RecoveryService } from './recovery-service.js';
import type { SourcesService } from './sources-service.js';

/** The driving ports of a knowledge store. */
export interface KnowledgeServices {
  /** Search, ingestion and upkeep. */
  readonly store: KnowledgeStore;
  /** Search in several projects at once. */
  readonly across: ProjectsSearch;
  /** Lessons for features that begin, and lessons from features that are complete. */
  readonly features: FeatureLifecycle;
  /** Public web pages as sources; the option `fetch` allows it. */
  readonly pages: PageService;
  /** Summaries by the small language model. */
  readonly digests: DigestService;
  /** Knowledge that is added by hand. */
  readonly notes: NotesService;
  /** Documents of those who share no disk with the store. */
  readonly documents: DocumentsService;
  /** What the index holds, to look at and to delete. */
  readonly sources: SourcesService;
  /** Which knowledge no longer holds. */
  readonly citations: CitationService;
  /** The store as a whole: counts, lists and a map of its chunks. */
  readonly overview: OverviewService;
  /** Doctor and exports: for when something breaks. */
  readonly recovery: RecoveryService;
  /** The embedding model that the store uses; the search-only variant has none. */
  readonly embedder: EmbeddingService;
}

/** A knowledge store that runs in this process. */
export interface RunningKnowledgeStore extends KnowledgeServices {
  /** Ends background work and closes every database; idempotent. Without it a program may not exit. */
  stop(): Promise<void>;
}
