import { PROJECT_IDLE_MS } from '../../domain/limits.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { Logger } from '../../ports/logger.js';
import type { WorktreeText } from '../../ports/project-directories.js';
import type { Reranker } from '../../ports/reranker.js';
import type { Citing } from '../citations/citation-finder.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import type { CorePorts } from '../core-ports.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import { Indexing } from '../indexing/indexing.js';
import { Ingestion } from '../ingestion/ingestion.js';
import { SourceReader } from '../ingestion/source-reader.js';
import { FeatureCompletion } from '../lessons/feature-completion.js';
import { LessonsForFeature } from '../lessons/lessons-for-feature.js';
import { PromptKnowledge } from '../lessons/prompt-knowledge.js';
import { ChunkLists } from '../overview/chunk-lists.js';
import { RecentProjects } from '../overview/recent-projects.js';
import type { Project } from '../project.js';
import { ProjectSetup } from '../projects/project-setup.js';
import { Projects, type ProjectsOptions } from '../projects/projects.js';
import { Doctor } from '../recovery/doctor.js';
import { DatabaseImport } from '../recovery/import-database.js';
import { Digests } from '../saved/digests.js';
import { Documents } from '../saved/documents.js';
import type { SecretsInNotes } from '../saved/note-checks.js';
import { NoteReading } from '../saved/note-reading.js';
import { Notes } from '../saved/notes.js';
import { Pages } from '../saved/pages.js';
import { SavedFiles } from '../saved/saved-files.js';
import { SourceStates } from '../saved/source-states.js';
import type { Retrieve } from '../search/retrieval.js';
import { Search } from '../search/search.js';
import { ProjectsSearch } from '../search/search-projects.js';
import { QuietSessions } from '../sessions/quiet-sessions.js';
import type { SessionCollecting } from '../sessions/session-collector.js';
import { SessionReading } from '../sessions/session-reading.js';
import { Sources } from '../sources/sources.js';
import { StaleChunks } from '../status/stale-chunks.js';
import { type DescribeStats, StoreStatus } from '../status/store-status.js';
import { Compaction } from '../upkeep/compaction.js';
import { MemoryFolder } from '../upkeep/memory-folder.js';
import { Pruning } from '../upkeep/pruning.js';
import { withUserNotes } from '../user-notes/covering.js';
import type { CoveredUseCases, UserNotes } from '../user-notes/user-notes.js';
import type { WatchDeps } from '../watch/project-watch.js';

/**
 * The use cases, for every adapter that drives the service. Methods take requests already checked by the schemas in
 * `src/schemas`. Every method with a `projectPath`, the absolute path of an existing directory, may throw
 * KnowledgeError `invalid_request`, `path_not_allowed`, `project_not_found`, `schema_too_new`, `store_unavailable` or
 * `overloaded` (too many calls wait for the store, or one took too long); methods that write may also throw
 * `storage_full`. The first call for a project opens its store, and creates it unless the method only reads.
 */
export type Service = {
  readonly [Name in Exclude<keyof UseCases, keyof SharedParts>]: Public<UseCases[Name]>;
};

/** The public methods of a class, which a test can replace. */
type Public<Class> = { readonly [Method in keyof Class]: Class[Method] };

/** Parts shared by use cases and hidden from adapters. */
type SharedParts = Pick<UseCases, 'projects' | 'ingestion' | 'memory'>;

export type UseCases = ReturnType<typeof createUseCases>;

/** The use cases with a configuration's adapters, and the parts that a process needs to run them. */
export interface ComposedService extends Service {
  readonly logger: Logger;
  readonly embedder: EmbeddingModel;
  /** Undefined if none is configured. */
  readonly reranker: Reranker | undefined;
  readonly hasLanguageModel: boolean;
  /**
   * The nearest project at or above a directory, except the root of the file system, and a home directory and its
   * ancestors.
   */
  nearestProject(directory: string): string | undefined;
  /**
   * For a directory in a linked git worktree that shares the store of its main checkout: one sentence about a source
   * whose file differs in the worktree. Undefined for any other directory.
   */
  worktreeText(directory: string): WorktreeText | undefined;
  /** What makes a directory a project; `folder` if nothing does yet. */
  projectKind(directory: string): 'store' | 'repository' | 'folder';
  /** Whether this process makes vectors or questions for a project, or will retry a failed attempt. */
  isEnriching(projectPath: string): boolean;
  /** Whether vectors or questions are being made for any project, not counting failed work that waits for a retry. */
  isAtWork(): boolean;
  /** Starts background work on the projects in use, if it was deferred. */
  startBackgroundWork(): void;
  inUse(): readonly Project[];
  /** Checks the database server, if the backend has one. Rejects if it cannot be used. */
  checkStore(): Promise<void>;
  /** Stops background work and closes every database; idempotent. Without it, a program may not exit. */
  stop(): Promise<void>;
}

/** The parts in which the variants differ. */
export interface VariantOptions {
  readonly enrichment: Enrichment;
  readonly retrieve: Retrieve;
  readonly retrieveByText: Retrieve;
  readonly citing: Citing;
  readonly citations: CitationJudging;
  readonly describeStats: DescribeStats;
  readonly sessions: SessionCollecting;
}

interface UseCaseOptions extends Partial<Pick<WatchDeps, 'fileChecks'>> {
  /** When vectors and questions are made; default `at once`. */
  readonly background?: ProjectsOptions['background'];
  /** Notes that apply to all projects; default: none. */
  readonly userNotes?: UserNotes | undefined;
  /** What to do with notes that seem to contain a secret; default `warn`. */
  readonly secrets?: SecretsInNotes;
  /** Returns the name of a chunk for use in sentences; default: its id. */
  readonly shownId?: (id: string) => string;
}

/**
 * Composes the use cases from a set of ports, in the same way for every variant and backend.
 * @param options when files are checked and background work begins, and how secrets in notes are treated
 */
export function createUseCases(
  ports: CorePorts,
  variant: VariantOptions,
  {
    fileChecks = 'at intervals',
    background = 'at once',
    secrets = 'warn',
    shownId = (id) => id,
    userNotes,
  }: UseCaseOptions = {},
) {
  const deps = composeDeps(ports, { ...variant, fileChecks, background, secrets, shownId });
  const covered = coveredUseCases(deps, userNotes);
  return {
    projects: deps.projects,
    ingestion: deps.ingestion,
    memory: deps.memory,
    stale: deps.stale,
    ...covered,
    lessons: new LessonsForFeature({ ...deps, ...covered }),
    promptKnowledge: new PromptKnowledge({ ...deps, ...covered }),
    documents: new Documents(deps),
    indexing: new Indexing(deps),
    status: new StoreStatus(deps),
    ...upkeepUseCases(deps),
    pages: new Pages(deps),
    digests: new Digests(deps),
    projectsSearch: new ProjectsSearch(deps),
    chunkLists: new ChunkLists(deps),
    recentProjects: new RecentProjects(deps),
    sessions: new SessionReading(deps),
    setup: new ProjectSetup(deps),
  };
}

type Deps = ReturnType<typeof composeDeps>;

function coveredUseCases(deps: Deps, userNotes: UserNotes | undefined): CoveredUseCases {
  const own = {
    search: deps.search,
    sources: deps.sources,
    notes: new Notes(deps),
    noteReading: new NoteReading(deps),
  };
  return userNotes === undefined ? own : withUserNotes(own, userNotes, deps);
}

type ComposedVariant = VariantOptions & Required<Omit<UseCaseOptions, 'userNotes'>>;

/** Dependencies of the use cases: the ports, the variant, and the use cases that others build on. */
function composeDeps(ports: CorePorts, variant: ComposedVariant) {
  const common = { ...ports, ...variant, extractor: ports.lessons, idleMs: PROJECT_IDLE_MS };
  const reader = new SourceReader(common);
  const ingestion = new Ingestion({ ...common, reader });
  const quietSessions = new QuietSessions(common);
  const whileRefilling = variant.fileChecks === 'before searches' ? 'wait' : 'refuse';
  const projects = new Projects({ ...common, ingestion, quietSessions, whileRefilling });
  const inProjects = { ...common, projects, ingestion, reader };
  const saved = new SavedFiles(inProjects);
  const sourceStates = new SourceStates({ ...common, saved });
  const search = new Search({ ...inProjects, sourceStates });
  const memory = new MemoryFolder(inProjects);
  const stale = new StaleChunks(inProjects);
  const deps = { ...inProjects, search, memory, saved, sourceStates, stale };
  return { ...deps, sources: new Sources(deps) };
}

function upkeepUseCases(deps: Deps) {
  const compaction = new Compaction(deps);
  return {
    compaction,
    completion: new FeatureCompletion({ ...deps, compaction }),
    pruning: new Pruning(deps),
    doctor: new Doctor(deps),
    imports: new DatabaseImport(deps),
  };
}
