import type { DatabaseReader } from '../ports/chunk-import.js';
import type { Clock } from '../ports/clock.js';
import type { EmbeddingModel } from '../ports/embedder.js';
import type { FrontmatterParser } from '../ports/frontmatter-parser.js';
import type {
  LessonExtractor,
  QueryRewriter,
  QuestionGenerator,
  Summarizer,
} from '../ports/language-model.js';
import type { Logger } from '../ports/logger.js';
import type { Metrics } from '../ports/metrics.js';
import type { PageFetcher } from '../ports/page-fetcher.js';
import type {
  AppDirectories,
  ProjectDirectories,
  ProjectFinder,
  ProjectHistory,
} from '../ports/project-directories.js';
import type { FileNames, ProjectFiles, SettingsSource } from '../ports/project-files.js';
import type { ProjectStores } from '../ports/project-stores.js';
import type { RelevanceScales } from '../ports/relevance-scales.js';
import type { Reranker } from '../ports/reranker.js';
import type { SessionConsents, SessionLedgers, ShownPieces } from '../ports/session-records.js';
import type { SourceWatcher } from '../ports/source-watcher.js';
import type { TranscriptSource } from '../ports/transcripts.js';

/**
 * The driven ports, by the names under which a host program can replace their adapters. Each port's doc comment is its
 * contract. The service owns `stores` and `embedder`, and closes them when it stops.
 */
export interface CorePorts {
  readonly stores: ProjectStores;
  /** Turns text into vectors. The search-only variant does not use it. */
  readonly embedder: EmbeddingModel;
  readonly relevanceScales: RelevanceScales;
  readonly files: ProjectFiles;
  readonly fileNames: FileNames;
  readonly directories: ProjectDirectories;
  readonly projectFinder: ProjectFinder;
  readonly appDirs: AppDirectories;
  /** The projects that this user has opened. */
  readonly projectHistory: ProjectHistory;
  /** Settings of projects: `settings.json`, or the constants of the search-only variant. */
  readonly settings: SettingsSource;
  readonly frontmatter: FrontmatterParser;
  /** This port and the next three are roles of the small language model. */
  readonly questionGenerator: QuestionGenerator;
  readonly queryRewriter: QueryRewriter;
  readonly summarizer: Summarizer;
  readonly lessons: LessonExtractor;
  /** Undefined if none is configured. */
  readonly reranker: Reranker | undefined;
  readonly pages: PageFetcher;
  readonly watcher: SourceWatcher;
  /**
   * This port and the next two serve sessions: transcripts on this machine, the user's consents, and what has been
   * read.
   */
  readonly transcripts: readonly TranscriptSource[];
  readonly sessionConsents: SessionConsents;
  readonly sessionLedgers: SessionLedgers;
  readonly shownPieces: ShownPieces;
  readonly databases: DatabaseReader;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}
