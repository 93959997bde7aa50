import {
  embeddingProgress,
  NO_VECTORS,
  type Stats,
  statsOf,
  type VectorStatus,
} from '../domain/stats.js';
import type { Clock } from '../ports/clock.js';
import type { IngestionService } from '../ports/driving/ingestion-service.js';
import type { KnowledgeStore } from '../ports/driving/knowledge-store.js';
import type { SearchService } from '../ports/driving/search-service.js';
import type { StatusService } from '../ports/driving/status-service.js';
import type { UpkeepService } from '../ports/driving/upkeep-service.js';
import type { EmbeddingModel } from '../ports/embedder.js';
import type { SettingsSource } from '../ports/settings-source.js';
import { type Arguments, checkArguments, invalidRequest } from './arguments.js';
import type { Enrichment } from './enrichment/enrichment.js';
import { isEmbedding } from './enrichment/missing-vectors.js';
import { isFirstIndexing } from './ingestion/first-indexing.js';
import type { Ingestion } from './ingestion/ingestion.js';
import type { SourceGroup } from './ingestion/source-reader.js';
import type { Project } from './projects/project.js';
import type { Projects } from './projects/projects.js';
import type { Search } from './search/search.js';
import type { Compaction } from './upkeep/compaction.js';
import { prune, unretrievedChunks } from './upkeep/pruning.js';

interface KnowledgeServiceOptions {
  readonly projects: Projects;
  readonly searches: Search;
  readonly ingestion: Ingestion;
  readonly enrichment: Enrichment;
  readonly compaction: Compaction;
  readonly settings: SettingsSource;
  readonly embedder: EmbeddingModel;
  readonly clock: Clock;
  readonly describeStats: DescribeStats;
}

/** What a variant says of a store; `usesVectors` tells whether its searches do. */
export type DescribeStats = (stats: Stats, usesVectors: () => Promise<boolean>) => Promise<Stats>;

/** The service methods (docs/specification.md, "Service methods"): each checks its arguments, opens the project and calls its use case. */
export function createKnowledgeService(options: KnowledgeServiceOptions): KnowledgeStore {
  const open: Open = async (projectPath, required, optional) => {
    checkArguments({ projectPath, ...required }, optional);
    return options.projects.open(projectPath);
  };
  return {
    initialize: async (projectPath) => {
      await open(projectPath);
    },
    ...searchService(options, open),
    ...ingestionService(options, open),
    ...statusService(options, open),
    ...upkeepService(options, open),
  };
}

/** Opens a project, once the arguments of the call are checked. */
type Open = (projectPath: string, required?: Arguments, optional?: Arguments) => Promise<Project>;

function searchService({ searches }: KnowledgeServiceOptions, open: Open): SearchService {
  return {
    search: async (projectPath, query, options = {}) => {
      const project = await open(projectPath, { query, options }, options);
      return searches.search(project, query, options);
    },
    countRetrievals: async (projectPath, chunkIds) => {
      await searches.countRetrievals(await open(projectPath, { chunkIds }), chunkIds);
    },
    searchReflections: async (projectPath, query, maxResults) => {
      const project = await open(projectPath, { query }, { maxResults });
      return searches.searchReflections(project, query, { maxResults });
    },
    // biome-ignore lint/complexity/useMaxParams: docs/specification.md has four parameters here
    findSimilarChunks: async (projectPath, text, sourceFile, maxResults) => {
      const project = await open(projectPath, { text }, { sourceFile, maxResults });
      const excludedSources = sourceFile === undefined ? [] : [sourceFile];
      return searches.findSimilar(project, text, { excludedSources, maxResults });
    },
  };
}

function ingestionService(options: KnowledgeServiceOptions, open: Open): IngestionService {
  const { ingestion, enrichment, settings } = options;
  const ingestGroup = async (projectPath: string, group: SourceGroup) =>
    (await ingestion.ingest(await open(projectPath), { group })).indexed;
  return {
    ingestReflections: (projectPath) => ingestGroup(projectPath, 'reflections'),
    ingestAgentOutputs: (projectPath) => ingestGroup(projectPath, 'agentOutputs'),
    reindex: async (projectPath, watching) => {
      const project = await open(projectPath);
      const { autoReindex } = await settings.read(project.path);
      if (autoReindex) return ingestion.ingest(project, { ...watching, unchanged: 'restore' });
      await project.store.keywords.rebuild();
      enrichment.schedule(project);
      return { indexed: 0, skipped: [], removed: 0 };
    },
    readAllSources: async (projectPath, watching) =>
      ingestion.ingest(await open(projectPath), watching),
    rebuildIndex: async (projectPath) => (await open(projectPath)).store.keywords.rebuild(),
  };
}

function statusService(options: KnowledgeServiceOptions, open: Open): StatusService {
  const { projects, enrichment, embedder, describeStats } = options;
  const existing = async (projectPath: string) => {
    checkArguments({ projectPath });
    return projects.find(projectPath);
  };
  return {
    getStats: async (projectPath = lastUsed(projects)) => {
      const project = await open(projectPath);
      const stats = statsOf(await project.store.chunks.stats(), project.store.location);
      return describeStats(stats, () => usesVectors(options, project));
    },
    getEmbeddingStatus: async (projectPath = lastUsed(projects)) =>
      vectorStatus(await existing(projectPath)),
    getEmbeddingProgress: async (projectPath) => {
      const project = await existing(projectPath);
      if (project === undefined) return NO_VECTORS;
      return embeddingProgress(await vectorStatus(project), enrichment.progressOf(project.path));
    },
    getHypeStatus: async (projectPath = lastUsed(projects)) =>
      (await existing(projectPath))?.store.questionVectors.status() ?? NO_VECTORS,
    isFirstIndexing: async (projectPath) => {
      const project = await existing(projectPath);
      return project !== undefined && isFirstIndexing(project);
    },
    isEmbedding: async (projectPath) => isEmbedding(await existing(projectPath)),
    getModelStatus: () => {
      const { failure: _, ...status } = embedder.status();
      return { name: embedder.model, ...status };
    },
  };
}

function lastUsed({ lastUsed: path }: Projects): string {
  if (path !== undefined) return path;
  throw invalidRequest('projectPath must be given: no project was initialized or used before.');
}

async function vectorStatus(project: Project | undefined): Promise<VectorStatus> {
  return project?.store.vectors.status() ?? NO_VECTORS;
}

async function usesVectors(
  { settings, embedder }: KnowledgeServiceOptions,
  project: Project,
): Promise<boolean> {
  const { hybridRetrieval } = await settings.read(project.path);
  if (!hybridRetrieval || !embedder.isReady()) return false;
  return (await vectorStatus(project)).complete > 0;
}

function upkeepService(options: KnowledgeServiceOptions, open: Open): UpkeepService {
  const { compaction, clock } = options;
  const pruneWithReport: UpkeepService['pruneWithReport'] = async (projectPath) =>
    prune(await open(projectPath), clock.now());
  return {
    compactCategory: async (projectPath, categoryFile, threshold) => {
      const project = await open(projectPath, { categoryFile }, { threshold });
      return compaction.compact(project, categoryFile, threshold);
    },
    restoreCategory: async (projectPath, categoryFile) =>
      compaction.restore(await open(projectPath, { categoryFile }), categoryFile),
    pruneStaleChunks: async (projectPath) => (await pruneWithReport(projectPath)).length,
    pruneWithReport,
    ...upkeepPreviews(options),
  };
}

/** Previews only read, and make no store where there is none. */
function upkeepPreviews({
  compaction,
  projects,
  clock,
}: KnowledgeServiceOptions): Pick<
  UpkeepService,
  'draftCompaction' | 'previewCompaction' | 'previewPrune'
> {
  const located = async (projectPath: string, categoryFile: string, threshold?: number) => {
    checkArguments({ projectPath, categoryFile }, { threshold });
    return projects.locate(projectPath);
  };
  return {
    draftCompaction: async (projectPath, ...category) =>
      compaction.draft(await located(projectPath, ...category), ...category),
    previewCompaction: async (projectPath, ...category) =>
      compaction.preview(await located(projectPath, ...category), ...category),
    previewPrune: async (projectPath) => {
      checkArguments({ projectPath });
      const project = await projects.find(projectPath);
      return project === undefined ? [] : unretrievedChunks(project, clock.now());
    },
  };
}
