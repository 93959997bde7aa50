import type { SearchAnswer, SearchOptions } from '../domain/search.js';
import {
  type EmbeddingProgress,
  embeddingProgress,
  NO_CONTENT,
  NO_VECTORS,
  storeStats,
  type VectorStatus,
} from '../domain/stats.js';
import type { Embedder } from '../ports/driven/embedder.js';
import type { SettingsSource } from '../ports/driven/settings-source.js';
import type { IngestionReport, Watching } from '../ports/driving/ingestion-service.js';
import type { KnowledgeStore } from '../ports/driving/knowledge-store.js';
import type { KnowledgeStats, ModelStatus } from '../ports/driving/status-service.js';
import type {
  CompactionReport,
  PrunedChunk,
  RestorationReport,
} from '../ports/driving/upkeep-service.js';
import { type Arguments, checkArguments } from './arguments.js';
import type { Enrichment } from './enrichment/enrichment.js';
import type { Ingestion } from './ingestion/ingestion.js';
import { readAllSources } from './ingestion/read-all-sources.js';
import type { Project, ReadableProject } from './projects/project.js';
import type { Projects } from './projects/projects.js';
import type { Search } from './search/search.js';
import type { Compaction } from './upkeep/compaction.js';
import type { Pruning } from './upkeep/pruning.js';

interface KnowledgeServiceParts {
  readonly projects: Projects;
  readonly searches: Search;
  readonly ingestion: Ingestion;
  readonly enrichment: Enrichment;
  readonly compaction: Compaction;
  readonly pruning: Pruning;
  readonly settings: SettingsSource;
  readonly embedder: Embedder;
}

/** The service methods (docs/specification.md, "Service methods"): each checks its arguments and calls its use case. */
export class KnowledgeService implements KnowledgeStore {
  readonly #parts: KnowledgeServiceParts;

  constructor(parts: KnowledgeServiceParts) {
    this.#parts = parts;
  }

  async initialize(projectPath: string): Promise<void> {
    await this.#open(projectPath);
  }

  async search(
    projectPath: string,
    query: string,
    options: SearchOptions = {},
  ): Promise<SearchAnswer> {
    const project = await this.#open(projectPath, { query, options }, options);
    return this.#parts.searches.search(project, query, options);
  }

  async searchReflections(
    projectPath: string,
    query: string,
    maxResults?: number,
  ): Promise<SearchAnswer> {
    const project = await this.#open(projectPath, { query }, { maxResults });
    return this.#parts.searches.searchReflections(project, query, { maxResults });
  }

  // biome-ignore lint/complexity/useMaxParams: docs/specification.md has four parameters here
  async findSimilarChunks(
    projectPath: string,
    text: string,
    sourceFile?: string,
    maxResults?: number,
  ): Promise<SearchAnswer> {
    const project = await this.#open(projectPath, { text }, { sourceFile, maxResults });
    return this.#parts.searches.findSimilar(project, text, { sourceFile, maxResults });
  }

  async ingestReflections(projectPath: string): Promise<number> {
    const project = await this.#open(projectPath);
    const { indexed } = await this.#parts.ingestion.ingestReflections(project);
    this.#parts.enrichment.wake(project);
    return indexed;
  }

  async ingestAgentOutputs(projectPath: string): Promise<number> {
    const project = await this.#open(projectPath);
    const { indexed } = await this.#parts.ingestion.ingestAgentOutputs(project);
    this.#parts.enrichment.wake(project);
    return indexed;
  }

  async reindex(projectPath: string, watching?: Watching): Promise<IngestionReport> {
    const project = await this.#open(projectPath);
    const { autoReindex } = await this.#parts.settings.read(project.path);
    if (autoReindex) {
      return readAllSources(this.#parts, project, { ...watching, unchanged: 'restore' });
    }
    await project.store.keywords.rebuild();
    this.#parts.enrichment.wake(project);
    return { indexed: 0, skipped: [], removed: 0 };
  }

  async readAllSources(projectPath: string, watching?: Watching): Promise<IngestionReport> {
    return readAllSources(this.#parts, await this.#open(projectPath), watching);
  }

  async rebuildIndex(projectPath: string): Promise<void> {
    const project = await this.#open(projectPath);
    await project.store.keywords.rebuild();
  }

  async getStats(projectPath: string): Promise<KnowledgeStats> {
    await this.initialize(projectPath);
    const { project, location } = await this.#openForReading(projectPath);
    const content = (await project?.store.chunks.stats()) ?? NO_CONTENT;
    return {
      ...storeStats(content, location),
      enabledHybridRetrieval: project !== undefined && (await this.#usesVectors(project)),
    };
  }

  async getEmbeddingStatus(projectPath: string): Promise<VectorStatus> {
    const { project } = await this.#openForReading(projectPath);
    return project?.store.vectors.status() ?? NO_VECTORS;
  }

  async getEmbeddingProgress(projectPath: string): Promise<EmbeddingProgress> {
    const { project } = await this.#openForReading(projectPath);
    if (project === undefined) return NO_VECTORS;
    const rate = this.#parts.enrichment.progressOf(project.path);
    return embeddingProgress(await project.store.vectors.status(), rate);
  }

  async getHypeStatus(projectPath: string): Promise<VectorStatus> {
    const { project } = await this.#openForReading(projectPath);
    return project?.store.questionVectors.status() ?? NO_VECTORS;
  }

  getModelStatus(): ModelStatus {
    return { name: this.#parts.embedder.model, state: this.#parts.embedder.state() };
  }

  async compactCategory(
    projectPath: string,
    categoryFile: string,
    threshold?: number,
  ): Promise<CompactionReport> {
    const project = await this.#open(projectPath, { categoryFile }, { threshold });
    return this.#parts.compaction.compact(project, categoryFile, threshold);
  }

  async previewCompaction(
    projectPath: string,
    categoryFile: string,
    threshold?: number,
  ): Promise<CompactionReport> {
    const project = await this.#open(projectPath, { categoryFile }, { threshold });
    return this.#parts.compaction.preview(project, categoryFile, threshold);
  }

  async restoreCategory(projectPath: string, categoryFile: string): Promise<RestorationReport> {
    const project = await this.#open(projectPath, { categoryFile });
    return this.#parts.compaction.restore(project, categoryFile);
  }

  async pruneStaleChunks(projectPath: string): Promise<number> {
    return (await this.pruneWithReport(projectPath)).length;
  }

  async pruneWithReport(projectPath: string): Promise<readonly PrunedChunk[]> {
    return this.#parts.pruning.prune(await this.#open(projectPath));
  }

  async previewPrune(projectPath: string): Promise<readonly PrunedChunk[]> {
    return this.#parts.pruning.preview(await this.#open(projectPath));
  }

  /** Checks the arguments of a call before anything is opened. */
  #open(projectPath: string, required?: Arguments, optional?: Arguments): Promise<Project> {
    checkArguments({ projectPath, ...required }, optional);
    return this.#parts.projects.open(projectPath);
  }

  #openForReading(projectPath: string): Promise<ReadableProject> {
    checkArguments({ projectPath });
    return this.#parts.projects.openForReading(projectPath);
  }

  async #usesVectors(project: Project): Promise<boolean> {
    const { settings, embedder } = this.#parts;
    const { hybridRetrieval } = await settings.read(project.path);
    if (!hybridRetrieval || !embedder.isReady()) return false;
    return (await project.store.vectors.status()).complete > 0;
  }
}
