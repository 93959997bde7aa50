import { invalidRequest } from '../../domain/errors.js';
import { NO_VECTORS, type Stats, toStats, type VectorStatus } from '../../domain/overview/stats.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { SettingsSource } from '../../ports/project-files.js';
import type { ComparedKind } from '../../ports/vector-index.js';
import type { ModelStatus, Status } from '../../schemas/stats.js';
import { isEmbedding } from '../enrichment/background-loop.js';
import { countVectors } from '../enrichment/refused-texts.js';
import { isFirstIndexing } from '../ingestion/first-indexing.js';
import type { Project, ProjectRequest } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { Projects } from '../projects/projects.js';
import { expiredSources } from '../search/filters.js';
import type { StaleChunks } from './stale-chunks.js';
import { type StoreTotals, sumTotals } from './store-totals.js';

interface StoreStatusDeps {
  readonly projects: Projects;
  readonly settings: SettingsSource;
  readonly embedder: Pick<EmbeddingModel, 'model' | 'status' | 'isReady'>;
  readonly stale: StaleChunks;
  readonly describeStats: DescribeStats;
  readonly clock: Clock;
}

/** Describes the statistics of a store in one variant; `usesVectors` tells whether searches use vectors. */
export type DescribeStats = (stats: Stats, usesVectors: () => Promise<boolean>) => Promise<Stats>;

/**
 * Reports the contents of a project's store and the progress of its background work. Only `stats` and `overview` create
 * a store; the other numbers are zero for a directory without one. Where `projectPath` is optional, it defaults to the
 * most recently used project.
 */
export class StoreStatus {
  readonly #deps: StoreStatusDeps;

  constructor(deps: StoreStatusDeps) {
    this.#deps = deps;
  }

  async stats({ projectPath = this.#lastUsed() }: Partial<ProjectRequest>): Promise<Stats> {
    const { projects, describeStats } = this.#deps;
    const project = await projects.open(projectPath);
    const stats = toStats(
      await project.store.chunks.stats(),
      locationAsOpened(project, projectPath),
    );
    return describeStats(stats, () => this.#usesVectors(project));
  }

  /**
   * Progress of vectors and questions, the state of the model, whether indexing or embedding is running, and expired
   * notes.
   */
  async status({ projectPath }: ProjectRequest): Promise<Status> {
    const { projects, clock } = this.#deps;
    const project = await projects.find(projectPath);
    const expired = project === undefined ? [] : await expiredSources(project, clock.now());
    return {
      embeddings: await this.#vectorStatus(project),
      hype: await this.#vectorStatus(project, 'questions'),
      model: this.model(),
      ...(project && (await isFirstIndexing(project)) && { indexing: 'running' as const }),
      ...(project && (await isEmbedding(project)) && { embedding: 'running' as const }),
      ...(expired.length > 0 && { expired: expired.toSorted() }),
    };
  }

  /** The status with the index contents, the number of stale chunks, and why there is no model. */
  async overview(request: ProjectRequest) {
    const { totalChunks, uniqueSources, lastUpdated } = await this.stats(request);
    const stats = { totalChunks, uniqueSources, ...(lastUpdated !== undefined && { lastUpdated }) };
    const stale = (await this.#deps.stale.list(request)).length;
    const { failure } = this.#deps.embedder.status();
    return {
      stats,
      ...(await this.status(request)),
      stale,
      ...(failure !== undefined && { failure }),
    };
  }

  async embeddings({
    projectPath = this.#lastUsed(),
  }: Partial<ProjectRequest>): Promise<VectorStatus> {
    return this.#vectorStatus(await this.#deps.projects.find(projectPath));
  }

  async hype({ projectPath = this.#lastUsed() }: Partial<ProjectRequest>): Promise<VectorStatus> {
    const project = await this.#deps.projects.find(projectPath);
    return this.#vectorStatus(project, 'questions');
  }

  model(): ModelStatus {
    const { embedder } = this.#deps;
    const { failure: _failure, chunksPerSecond: _rate, ...status } = embedder.status();
    return { name: embedder.model, ...status };
  }

  /** Sums over the stores in use. */
  totals(): Promise<StoreTotals> {
    return sumTotals(this.#deps.projects.inUse(), this.#deps.embedder);
  }

  #lastUsed(): string {
    const { lastUsed } = this.#deps.projects;
    if (lastUsed !== undefined) return lastUsed;
    throw invalidRequest(
      'projectPath must be given, because no project has been initialized or used yet.',
    );
  }

  async #usesVectors(project: OpenProject): Promise<boolean> {
    const { settings, embedder } = this.#deps;
    const { hybridRetrieval } = await settings.read(project.path);
    if (!hybridRetrieval || !embedder.isReady()) return false;
    return (await project.store.vectors.status('stored')).complete > 0;
  }

  async #vectorStatus(
    project: OpenProject | undefined,
    kind: ComparedKind = 'content',
  ): Promise<VectorStatus> {
    if (project === undefined) return NO_VECTORS;
    const { refusals } = project;
    const { complete, pending } = await countVectors(project, kind, this.#deps.embedder);
    const refused = (kind === 'content' ? refusals.embeddings : refusals.hype).size;
    return { complete, pending, ...(refused > 0 && { refused }) };
  }
}

/** The location of the store, written with the project path as the caller gave it, which may lead through links. */
function locationAsOpened({ path, store: { location } }: Project, openedAs: string): string {
  return location.replace(path, () => (PLAIN_PATH.test(openedAs) ? openedAs : path));
}

/** An absolute path without `//`, `/./`, `/../` or a trailing slash. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/;
