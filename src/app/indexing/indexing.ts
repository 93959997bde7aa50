import { writtenFolders } from '../../domain/project-layout.js';
import type { FirstIndexing } from '../../domain/ranking/search.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileWriter, SettingsSource } from '../../ports/project-files.js';
import type { IngestionReport } from '../../schemas/sources.js';
import type { SourceGroup } from '../ingestion/source-kinds.js';
import type { CallOptions } from '../ingestion/source-reader.js';
import type { ProjectRequest } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { Projects } from '../projects/projects.js';
import type { SessionCollecting } from '../sessions/session-collector.js';

interface IndexingDeps {
  readonly projects: Pick<Projects, 'open'>;
  readonly files: Pick<ProjectFileWriter, 'removeDrafts'>;
  readonly appDirs: AppDirectories;
  readonly settings: SettingsSource;
  readonly sessions: SessionCollecting;
}

/** Brings the index of a project up to date with its files (docs/specification.md, "Ingestion"). */
export class Indexing {
  readonly #deps: IndexingDeps;

  constructor(deps: IndexingDeps) {
    this.#deps = deps;
  }

  /**
   * Starts the first indexing of a project in the background. Returns whether it was started or is already running;
   * undefined if something is already indexed, or if this service does not index by itself.
   */
  async begin({ projectPath }: ProjectRequest): Promise<FirstIndexing | undefined> {
    const project = await this.#deps.projects.open(projectPath);
    await project.prepareSearch();
    const indexing = await project.beginIndexing();
    return indexing === 'to_come' ? undefined : indexing;
  }

  /** Indexes all sources of a group. Returns the number of files indexed. */
  async group({ projectPath }: ProjectRequest, group: SourceGroup): Promise<number> {
    const project = await this.#open(projectPath);
    return (await project.ingest({ group })).indexed;
  }

  /**
   * Indexes new and changed sources, and removes deleted ones. Reads the transcripts of agents first. Does not restore
   * pruned chunks of unchanged files, and ignores the setting `autoReindex`.
   * @throws KnowledgeError `store_unavailable` if the service is stopped or the call is cancelled; sources indexed by
   *   then stay
   */
  async ingest({ projectPath }: ProjectRequest, options?: CallOptions): Promise<IngestionReport> {
    const project = await this.#open(projectPath);
    const { skipped } = await this.#deps.sessions.collect(project);
    const report = await project.ingest(options);
    const transcripts = skipped.map(({ path, ...why }) => ({ sourceFile: path, ...why }));
    return { ...report, skipped: [...report.skipped, ...transcripts] };
  }

  /**
   * If the setting `autoReindex` is true, indexes new and changed sources, removes deleted ones, restores pruned chunks
   * and rebuilds the full-text index. Otherwise only rebuilds the full-text index. Reads no transcripts of agents.
   */
  async rebuild({ projectPath }: ProjectRequest, options?: CallOptions): Promise<IngestionReport> {
    const project = await this.#open(projectPath);
    const { autoReindex } = await this.#deps.settings.read(project.path);
    if (autoReindex) return project.ingest({ ...options, unchanged: 'restore' });
    await project.store.upkeep.maintain('rebuild');
    project.enrich();
    return { indexed: 0, skipped: [], removed: 0 };
  }

  /** Rebuilds the full-text index from the chunks, without reading files. */
  async rebuildFullText({ projectPath }: ProjectRequest): Promise<void> {
    await (await this.#deps.projects.open(projectPath)).store.upkeep.maintain('rebuild');
  }

  /**
   * Checks that the store is writable, by writing to it.
   * @throws KnowledgeError `store_unavailable` or `storage_full` if nothing can be stored, not even vectors
   */
  async checkWritable({ projectPath }: ProjectRequest): Promise<void> {
    const { store } = await this.#deps.projects.open(projectPath);
    await store.upkeep.acquire('check', 1);
    await store.upkeep.release('check');
  }

  /** Opens the project, and removes unfinished files that killed writers left in the service's folders. */
  async #open(projectPath: string): Promise<OpenProject> {
    const { projects, files, appDirs } = this.#deps;
    const project = await projects.open(projectPath);
    await files.removeDrafts(project.path, writtenFolders(appDirs.of(project.path)));
    return project;
  }
}
