import { reasonOf } from '../../domain/errors.js';
import type { FirstIndexing } from '../../domain/search.js';
import type { Settings } from '../../domain/settings.js';
import type { ProjectStore } from '../../ports/project-stores.js';
import { isFirstIndexing } from '../ingestion/first-indexing.js';
import type { Project } from '../project.js';
import { ProjectWatch, type WatchDeps } from './project-watch.js';

/** Keeps the store of every project in use up to date with its files, so that searches need not read them. */
export class SourceSync {
  readonly #deps: WatchDeps;
  readonly #watches = new Map<string, ProjectWatch>();
  /** Stores whose first indexing is over. */
  readonly #indexed = new WeakSet<ProjectStore>();
  #isStopped = false;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /** Says that a project is in use: from now on its sources are watched. Returns at once; idempotent. */
  use(project: Project): void {
    this.#watchOf(project);
  }

  /** The settings of a project as they are now; where looks come before searches, its files were looked at. */
  async prepareSearch(project: Project): Promise<Settings> {
    const { looks, settings } = this.#deps;
    const watch = this.#watchOf(project);
    if (looks === 'before searches') await watch?.lookBeforeSearch();
    return settings.read(project.path);
  }

  /**
   * Says that a project was searched, which starts the first indexing of one that was never indexed, in the background, or
   * leaves it. Returns whether that was started or is running, in this process or another, or is still to come; undefined once
   * something is indexed. Never throws.
   */
  async searched(
    project: Project,
    neverIndexed: 'index' | 'leave' = 'index',
  ): Promise<FirstIndexing | 'to_come' | undefined> {
    if (this.#indexed.has(project.store)) return undefined;
    try {
      if (await isFirstIndexing(project)) return 'running';
      const sources = await project.store.chunks.indexedSources();
      if (sources.length === 0 && neverIndexed === 'leave') return 'to_come';
      if (await this.#watchOf(project)?.startIndexing(sources)) return 'started';
      if (sources.length > 0) this.#indexed.add(project.store);
    } catch (error) {
      const reason = reasonOf(error);
      this.#deps.logger.warn('Could not determine whether the project is being indexed.', {
        reason,
      });
    }
    return undefined;
  }

  /** Ends the watch of a project until it is used again. */
  async release(projectPath: string): Promise<void> {
    const watch = this.#watches.get(projectPath);
    this.#watches.delete(projectPath);
    await watch?.stop();
  }

  /** Stops after the work in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()));
  }

  /** Restarts the watch when a project's store is reopened, or another one is at its place. */
  #watchOf(project: Project): ProjectWatch | undefined {
    const known = this.#watches.get(project.path);
    if (known?.project.store === project.store && !known.ended.aborted) return known;
    if (this.#isStopped || !this.#deps.watcher.isProject(project.path)) return undefined;
    void known?.stop();
    const handOver = (store: ProjectStore) => this.use({ path: project.path, store });
    const watch = new ProjectWatch(project, { ...this.#deps, handOver }, known);
    this.#watches.set(project.path, watch);
    return watch;
  }
}
