import { reasonOf } from '../../domain/errors.js';
import type { FirstIndexing } from '../../domain/search.js';
import type { ProjectStore } from '../../ports/driven/project-stores.js';
import { isFirstIndexing } from '../ingestion/first-indexing.js';
import type { Project } from '../projects/project.js';
import { type FreshnessOptions, FreshProject } from './fresh-project.js';

/**
 * Keeps the index of every project that is in use in step with its files, without being asked to; with a watcher that
 * knows no project, nothing happens.
 */
export class Freshness {
  readonly #options: FreshnessOptions;
  readonly #projects = new Map<string, FreshProject>();
  /** Those of which the first indexing is over. */
  readonly #indexed = new WeakSet<ProjectStore>();
  #isStopped = false;

  constructor(options: FreshnessOptions) {
    this.#options = options;
  }

  /** Says that a project is in use: from now on its sources are watched. Returns at once; idempotent. */
  use(project: Project): void {
    this.#freshProject(project);
  }

  /**
   * Says that a project was searched. The first search of a project that was never indexed starts that in the
   * background; returns whether this first indexing was started, or is running, in this process or another. Never throws.
   */
  async searched(project: Project): Promise<FirstIndexing | undefined> {
    try {
      if (this.#indexed.has(project.store)) return undefined;
      if (await isFirstIndexing(project)) return 'running';
      const sources = await project.store.chunks.indexedSources();
      if (await this.#freshProject(project)?.startIndexing(sources)) return 'started';
      if (sources.length > 0) this.#indexed.add(project.store);
      return undefined;
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }

  /** Which of these source files were indexed from files that are gone, and must not be shown. Never throws. */
  async goneAmong(project: Project, sourceFiles: readonly string[]): Promise<readonly string[]> {
    try {
      return (await this.#freshProject(project)?.goneAmong(sourceFiles)) ?? [];
    } catch (error) {
      this.#warn(error);
      return [];
    }
  }

  /** Ends the watch of a project until it is used again. */
  async release(projectPath: string): Promise<void> {
    const fresh = this.#projects.get(projectPath);
    this.#projects.delete(projectPath);
    await fresh?.stop();
  }

  /** Ends everything; what is under way is finished first. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#projects.values()].map((fresh) => fresh.stop()));
  }

  /** A project whose store was opened again is watched anew. */
  #freshProject(project: Project): FreshProject | undefined {
    if (this.#isStopped || !this.#options.watcher.isProject(project.path)) return undefined;
    const known = this.#projects.get(project.path);
    if (known?.project.store === project.store && !known.isStopped) return known;
    void known?.stop();
    const fresh = new FreshProject(project, this.#options);
    this.#projects.set(project.path, fresh);
    return fresh;
  }

  #warn(error: unknown): void {
    this.#options.logger.warn(
      'The files of a project could not be looked at; the search went on.',
      {
        reason: reasonOf(error),
      },
    );
  }
}
