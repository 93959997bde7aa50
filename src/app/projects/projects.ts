import { errorReason, KnowledgeError } from '../../domain/errors.js';
import type { ProjectDirectories, ProjectHistory } from '../../ports/project-directories.js';
import type { ProjectStore } from '../../ports/project-stores.js';
import { IdleEntries } from '../../shared/idle-entries.js';
import type { Project } from '../project.js';
import { OpenProject, type OpenProjectDeps } from './open-project.js';

export interface ProjectsOptions extends OpenProjectDeps {
  readonly directories: Pick<ProjectDirectories, 'resolve'>;
  readonly projectHistory: Pick<ProjectHistory, 'remember'>;
  /** How long an unused project stays open. */
  readonly idleMs: number;
  /** What `open` does while a store is being refilled: a one-shot process waits, a service refuses the request. */
  readonly whileRefilling: 'refuse' | 'wait';
  /** When to make vectors and questions: as soon as there are chunks, or after `startBackgroundWork`. */
  readonly background: 'at once' | 'later';
}

/**
 * Opens projects for all use cases. Opening a store for the first time starts its background work. A store that lost
 * its contents is first refilled from the sources; until then `open` waits, or throws `store_unavailable`. Idle
 * projects are evicted.
 */
export class Projects {
  readonly #options: ProjectsOptions;
  /** The open projects, by path. */
  readonly #inUse = new Map<string, OpenProject>();
  /** By project whose store lost its contents. Each promise settles when the store is refilled, and never rejects. */
  readonly #refilling = new WeakMap<OpenProject, Promise<void>>();
  readonly #refilled = new WeakSet<ProjectStore>();
  readonly #idle: IdleEntries<string>;
  #mayEnrich: boolean;
  #isStopped = false;
  #lastUsed: string | undefined;

  constructor(options: ProjectsOptions) {
    this.#options = options;
    this.#mayEnrich = options.background === 'at once';
    this.#idle = new IdleEntries({ ...options, evict: (path) => this.#evict(path) });
  }

  get lastUsed(): string | undefined {
    return this.#lastUsed;
  }

  async open(projectPath: string): Promise<OpenProject> {
    const path = await this.#use(projectPath);
    return this.#prepared(path, await this.#options.stores.open(path));
  }

  /** Opens a project for a method that only reads. Returns undefined, and creates nothing, if there is no store. */
  async find(projectPath: string): Promise<OpenProject | undefined> {
    const path = await this.#use(projectPath);
    const store = await this.#options.stores.find(path);
    return store && this.#prepared(path, store);
  }

  /**
   * Opens a project for a method that deletes. Returns undefined, and creates no store, if there is nothing to delete.
   */
  async openWhere(
    projectPath: string,
    isThere: (project: Pick<Project, 'path'>) => Promise<boolean>,
  ): Promise<OpenProject | undefined> {
    const hasStore = (await this.find(projectPath)) !== undefined;
    if (!hasStore && !(await isThere(await this.locate(projectPath)))) return undefined;
    return this.open(projectPath);
  }

  /** Resolves the path of a project for a method that only reads files. Opens no store. */
  async locate(projectPath: string): Promise<Pick<Project, 'path'>> {
    return { path: await this.#options.directories.resolve(projectPath) };
  }

  /** The projects opened and not yet released. */
  inUse(): readonly OpenProject[] {
    return [...this.#inUse.values()];
  }

  /** Waits until a store that lost its contents has been refilled, or refilling failed. */
  async refilled(path: string): Promise<void> {
    await this.#refillingAt(path);
  }

  /** Starts background work on the projects in use, if it was deferred. */
  startBackgroundWork(): void {
    this.#mayEnrich = true;
    for (const project of this.inUse()) project.enrich();
  }

  /** Closes an idle project until its next use, unless its store is being refilled. */
  async release(path: string): Promise<void> {
    if (this.#refillingAt(path) !== undefined) return;
    const project = this.#inUse.get(path);
    this.#inUse.delete(path);
    await project?.close();
  }

  /** Closes all projects. Projects opened later get neither a watch nor background work. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#idle.stop();
    await Promise.all(this.inUse().map((project) => project.close()));
  }

  async #use(projectPath: string): Promise<string> {
    const path = await this.#options.directories.resolve(projectPath);
    this.#lastUsed = projectPath;
    return path;
  }

  async #evict(path: string): Promise<boolean> {
    if (this.#inUse.get(path)?.isEnriching) return false;
    await this.release(path).catch((error: unknown) => {
      this.#options.logger.warn('The background work of an idle project could not be stopped.', {
        project: path,
        reason: errorReason(error),
      });
    });
    return true;
  }

  async #prepared(path: string, store: ProjectStore): Promise<OpenProject> {
    this.#idle.use(path);
    const project = this.#take(path, store);
    if (this.#options.whileRefilling === 'wait') await this.#refilling.get(project);
    if (this.#refilling.has(project)) {
      throw new KnowledgeError(
        'store_unavailable',
        'The knowledge store was damaged and is being refilled from its sources; try again in a few seconds.',
      );
    }
    return project;
  }

  /** The open project for a store. Closes one at the same path with another store. */
  #take(path: string, store: ProjectStore): OpenProject {
    const former = this.#inUse.get(path);
    if (former?.store === store) return former;
    const mayEnrich = () => this.#mayEnrich;
    const handOver = (other: ProjectStore) => void this.#take(path, other);
    const project = new OpenProject({ path, store, mayEnrich, handOver }, this.#options, former);
    this.#inUse.set(path, project);
    void former?.close();
    if (this.#isStopped) void project.close();
    if (store.needsReindexing && !this.#refilled.has(store)) {
      this.#refilling.set(project, this.#refill(project));
    } else this.#begin(project);
    return project;
  }

  #begin(project: OpenProject): void {
    this.#options.projectHistory.remember(project.path);
    project.enrich();
    project.watch();
  }

  #refillingAt(path: string): Promise<void> | undefined {
    const project = this.#inUse.get(path);
    return project && this.#refilling.get(project);
  }

  async #refill(project: OpenProject): Promise<void> {
    const { ingestion, logger } = this.#options;
    const { path, store } = project;
    try {
      const { indexed: files } = await ingestion.ingest(project, { unchanged: 'restore' });
      this.#refilled.add(store);
      this.#refilling.delete(project);
      logger.info('The knowledge store was refilled from its sources.', { project: path, files });
      this.#begin(project);
    } catch (error) {
      if (this.#inUse.get(path) === project) this.#inUse.delete(path);
      logger.error('The knowledge store could not be refilled; the next request will try again.', {
        error,
      });
    }
  }
}
