import { sourcesOfFeature } from '../domain/project-layout.js';
import type { SearchAnswer, SearchOptions } from '../domain/search.js';
import type { VectorStatus } from '../domain/stats.js';
import type { Embedder } from '../ports/driven/embedder.js';
import type { SettingsSource } from '../ports/driven/settings-source.js';
import type {
  CompactionReport,
  IngestionReport,
  KnowledgeStats,
  KnowledgeStore,
  ModelStatus,
  PrunedChunk,
  ReflectionSearchOptions,
  SimilarityOptions,
} from '../ports/driving/knowledge-store.js';
import type { Enrichment } from './enrichment/enrichment.js';
import type { Ingestion } from './ingestion/ingestion.js';
import type { Project } from './projects/project.js';
import type { Projects } from './projects/projects.js';
import type { Search } from './search/search.js';
import type { Compaction } from './upkeep/compaction.js';
import type { Pruning } from './upkeep/pruning.js';

export interface KnowledgeServiceParts {
  readonly projects: Projects;
  readonly searches: Search;
  readonly ingestion: Ingestion;
  readonly appDir: string;
  readonly enrichment: Enrichment;
  readonly compaction: Compaction;
  readonly pruning: Pruning;
  readonly settings: SettingsSource;
  readonly embedder: Embedder;
}

/** The service methods of the specification: each opens the project and hands over to its use case. */
export class KnowledgeService implements KnowledgeStore {
  readonly #parts: KnowledgeServiceParts;

  constructor(parts: KnowledgeServiceParts) {
    this.#parts = parts;
  }

  async initialize(projectPath: string): Promise<void> {
    await this.#open(projectPath);
  }

  async search(projectPath: string, query: string, options?: SearchOptions): Promise<SearchAnswer> {
    return this.#parts.searches.search(await this.#open(projectPath), query, options);
  }

  async searchReflections(
    projectPath: string,
    query: string,
    { excludedFeature, ...options }: ReflectionSearchOptions = {},
  ): Promise<SearchAnswer> {
    const excludedSources =
      excludedFeature === undefined ? [] : sourcesOfFeature(this.#parts.appDir, excludedFeature);
    const project = await this.#open(projectPath);
    return this.#parts.searches.searchReflections(project, query, { ...options, excludedSources });
  }

  async findSimilarChunks(
    projectPath: string,
    text: string,
    options?: SimilarityOptions,
  ): Promise<SearchAnswer> {
    return this.#parts.searches.findSimilar(await this.#open(projectPath), text, options);
  }

  async ingestReflections(projectPath: string): Promise<IngestionReport> {
    const project = await this.#open(projectPath);
    return this.#enriched(project, await this.#parts.ingestion.ingestReflections(project));
  }

  async ingestAgentOutputs(projectPath: string): Promise<IngestionReport> {
    const project = await this.#open(projectPath);
    return this.#enriched(project, await this.#parts.ingestion.ingestAgentOutputs(project));
  }

  async reindex(projectPath: string): Promise<IngestionReport> {
    const project = await this.#open(projectPath);
    const { autoReindex } = await this.#parts.settings.read(project.path);
    const report = autoReindex
      ? await this.#parts.ingestion.ingestAll(project)
      : { indexed: 0, skipped: [] };
    await project.store.chunks.rebuildIndex();
    return this.#enriched(project, report);
  }

  async rebuildIndex(projectPath: string): Promise<void> {
    const project = await this.#open(projectPath);
    await project.store.chunks.rebuildIndex();
  }

  async getStats(projectPath: string): Promise<KnowledgeStats> {
    const project = await this.#open(projectPath);
    const stats = await project.store.chunks.stats();
    return { ...stats, enabledHybridRetrieval: await this.#usesVectors(project) };
  }

  async getEmbeddingStatus(projectPath: string): Promise<VectorStatus> {
    return (await this.#open(projectPath)).store.vectors.status();
  }

  async getHypeStatus(projectPath: string): Promise<VectorStatus> {
    return (await this.#open(projectPath)).store.questionVectors.status();
  }

  getModelStatus(): ModelStatus {
    return { name: this.#parts.embedder.model, state: this.#parts.embedder.state() };
  }

  async compactCategory(
    projectPath: string,
    categoryFile: string,
    threshold?: number,
  ): Promise<CompactionReport> {
    const project = await this.#open(projectPath);
    return this.#parts.compaction.compact(project, categoryFile, threshold);
  }

  async previewCompaction(
    projectPath: string,
    categoryFile: string,
    threshold?: number,
  ): Promise<CompactionReport> {
    const project = await this.#open(projectPath);
    return this.#parts.compaction.preview(project, categoryFile, threshold);
  }

  async pruneStaleChunks(projectPath: string): Promise<readonly PrunedChunk[]> {
    return this.#parts.pruning.prune(await this.#open(projectPath));
  }

  async previewPrune(projectPath: string): Promise<readonly PrunedChunk[]> {
    return this.#parts.pruning.preview(await this.#open(projectPath));
  }

  #open(projectPath: string): Promise<Project> {
    return this.#parts.projects.open(projectPath);
  }

  #enriched(project: Project, report: IngestionReport): IngestionReport {
    this.#parts.enrichment.wake(project);
    return report;
  }

  async #usesVectors(project: Project): Promise<boolean> {
    const { settings, embedder } = this.#parts;
    const { hybridRetrieval } = await settings.read(project.path);
    if (!hybridRetrieval || !embedder.isReady()) return false;
    return (await project.store.vectors.status()).complete > 0;
  }
}
