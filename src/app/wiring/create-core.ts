import { PROJECT_IDLE_MS } from '../../domain/limits.js';
import type { KnowledgeServices } from '../../ports/driving/knowledge-services.js';
import type { SetupService } from '../../ports/driving/setup-service.js';
import type { Citing } from '../citations/citation-finder.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import { createCitationService } from '../citations/stale-chunks.js';
import type { CorePorts } from '../core-ports.js';
import { Embeddings } from '../embeddings.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import { Ingestion } from '../ingestion/ingestion.js';
import { SourceReader } from '../ingestion/source-reader.js';
import { createKnowledgeService, type DescribeStats } from '../knowledge-service.js';
import { createFeatureService } from '../lessons/feature-service.js';
import { Overview } from '../overview/overview.js';
import { createProjectSetup } from '../projects/project-setup.js';
import { Projects } from '../projects/projects.js';
import { createRecovery } from '../recovery/recovery.js';
import { Digests } from '../saved/digests.js';
import { Documents } from '../saved/documents.js';
import { Notes } from '../saved/notes.js';
import { Pages } from '../saved/pages.js';
import { SavedFiles } from '../saved/saved-files.js';
import type { Retrieve } from '../search/retrieval.js';
import { Search } from '../search/search.js';
import { createProjectsSearch } from '../search/search-projects.js';
import { Sources } from '../sources/sources.js';
import { Compaction } from '../upkeep/compaction.js';
import { MemoryFolder } from '../upkeep/memory-folder.js';
import type { WatchDeps } from '../watch/project-watch.js';
import { SourceSync } from '../watch/source-sync.js';

/** The use cases in which the variants differ. */
export interface VariantOptions {
  readonly enrichment: Enrichment;
  /** For queries of callers. */
  readonly retrieve: Retrieve;
  /** For searches with a whole text: lessons and similar chunks. */
  readonly retrieveByText: Retrieve;
  /** Finds what chunks cite, when they are indexed. */
  readonly citing: Citing;
  readonly citations: CitationJudging;
  readonly describeStats: DescribeStats;
}

/** The driving ports, and the use cases behind them. */
export interface Core extends KnowledgeServices {
  readonly setup: SetupService;
  readonly projects: Projects;
  readonly searches: Search;
  readonly ingestion: Ingestion;
  readonly sync: SourceSync;
  readonly memory: MemoryFolder;
  readonly compaction: Compaction;
}

interface CoreOptions {
  /** Default: at intervals. */
  readonly looks?: WatchDeps['looks'];
}

/** Composes the use cases over a set of ports, in the same way for every variant and backend. */
export function createCore(
  ports: CorePorts,
  variant: VariantOptions,
  { looks = 'at intervals' }: CoreOptions = {},
): Core {
  const { summarizer, lessons: extractor, embedder } = ports;
  const common = { ...ports, ...variant, looks, idleMs: PROJECT_IDLE_MS };
  const reader = new SourceReader({ ...ports, citing: variant.citing });
  const ingestion = new Ingestion({ ...common, reader });
  const sync = new SourceSync({ ...common, ingestion });
  const projects = new Projects({ ...common, ingestion, sync });
  const searches = new Search({ ...common, sync });
  const memory = new MemoryFolder({ ...common, ingestion });
  const compaction = new Compaction({ ...common, memory, summarizer });
  const saved = new SavedFiles({ ...common, ingestion });
  const sources = new Sources({ ...common, projects, reader, saved });
  const useCases = { projects, searches, ingestion, sync, memory, compaction };
  const store = createKnowledgeService({ ...common, ...useCases });
  return {
    store,
    across: createProjectsSearch(store),
    features: createFeatureService({ ...common, ...useCases, extractor }),
    notes: new Notes({ ...common, projects, searches, saved }),
    documents: new Documents({ ...common, projects, saved }),
    sources,
    citations: createCitationService(projects, sync),
    overview: new Overview(projects),
    embedder: new Embeddings(embedder),
    pages: new Pages({ ...common, projects, saved }),
    digests: new Digests({ ...common, projects, saved, memory }),
    setup: createProjectSetup(common),
    recovery: createRecovery({ ...common, projects, sources }),
    projects,
    searches,
    ingestion,
    sync,
    memory,
    compaction,
  };
}
