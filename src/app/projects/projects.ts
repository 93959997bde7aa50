import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { ProjectDirectories, ProjectHistory } from '../../ports/project-directories.js';
import type { ProjectFiles } from '../../ports/project-files.js';
import type { ProjectStore, ProjectStores } from '../../ports/project-stores.js';
import { IdleEntries } from '../../shared/idle-entries.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import type { Ingestion } from '../ingestion/ingestion.js';
import type { Project } from '../project.js';
import type { SourceSync } from '../watch/source-sync.js';

interface ProjectsOptions {
  readonly directories: Pick<ProjectDirectories, 'resolve'>;
  readonly projectHistory: Pick<ProjectHistory, 'remember'>;
  readonly files: ProjectFiles;
  readonly stores: ProjectStores;
  readonly ingestion: Ingestion;
  readonly enrichment: Enrichment;
  readonly sync: Pick<SourceSync, 'use' | 'release'>;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** How long an unused project stays prepared. */
  readonly idleMs: number;
  /** Whether `open` waits for a store that is being refilled: a process that ends with its call does, a service refuses meanwhile. */
  readonly whileRefilling: 'refuse' | 'wait';
}

/**
 * Opens projects for every use case. When a store is opened for the first time, its background work is
 * started. If the store lost its contents, it is first refilled from the sources; until then `open`
 * waits, or throws `store_unavailable`. Idle projects are evicted.
 */
export class Projects {
  readonly #options: ProjectsOptions;
  /** By path, for as long as the project is in use. */
  readonly #preparations = new Map<string, Preparation>();
  readonly #refilled = new WeakSet<ProjectStore>();
  readonly #idle: IdleEntries<string>;
  #lastUsed: string | undefined;

  constructor(options: ProjectsOptions) {
    this.#options = options;
    this.#idle = new IdleEntries({ ...options, giveUp: (path) => this.#giveUp(path) });
  }

  get lastUsed(): string | undefined {
    return this.#lastUsed;
  }

  async open(projectPath: string): Promise<Project> {
    const path = await this.#use(projectPath);
    const store = await this.#options.stores.open(path);
    return { ...(await this.#prepared(path, store)), openedAs: projectPath };
  }

  /** For methods that only read: undefined if there is no store, and none is created. */
  async find(projectPath: string): Promise<Project | undefined> {
    const path = await this.#use(projectPath);
    const store = await this.#options.stores.find(path);
    return store && (await this.#prepared(path, store));
  }

  /** For methods that delete. Returns undefined, and creates no store, if there is nothing to delete. */
  async openWhere(
    projectPath: string,
    isThere: (project: Pick<Project, 'path'>) => Promise<boolean>,
  ): Promise<Project | undefined> {
    const hasStore = (await this.find(projectPath)) !== undefined;
    if (!hasStore && !(await isThere(await this.locate(projectPath)))) return undefined;
    return this.open(projectPath);
  }

  /** For methods that only read files: no store is opened. */
  async locate(projectPath: string): Promise<Pick<Project, 'path'>> {
    return { path: await this.#options.directories.resolve(projectPath) };
  }

  /** The projects that were opened and not released since. */
  inUse(): readonly Project[] {
    return [...this.#preparations].map(([path, { store }]) => ({ path, store }));
  }

  /** Waits until a store that lost its contents is refilled, or refilling it has failed. */
  async refilled(path: string): Promise<void> {
    await this.#preparations.get(path)?.refilling;
  }

  /** Evicts an idle project; its next use prepares it again. */
  async release(path: string): Promise<void> {
    const { enrichment, sync } = this.#options;
    if (this.#preparations.get(path)?.refilling !== undefined) return;
    this.#preparations.delete(path);
    await Promise.all([sync.release(path), enrichment.release(path)]);
  }

  /** Gives up no more projects. */
  stop(): void {
    this.#idle.stop();
  }

  async #use(projectPath: string): Promise<string> {
    const path = await this.#options.directories.resolve(projectPath);
    this.#lastUsed = projectPath;
    return path;
  }

  async #giveUp(path: string): Promise<boolean> {
    if (this.#options.enrichment.isWorking(path)) return false;
    await this.release(path).catch((error: unknown) => {
      this.#options.logger.warn('The background work of an idle project could not be stopped.', {
        project: path,
        reason: reasonOf(error),
      });
    });
    return true;
  }

  async #prepared(path: string, store: ProjectStore): Promise<Project> {
    const project = { path, store };
    this.#idle.use(path);
    const preparation = this.#preparationOf(project);
    if (this.#options.whileRefilling === 'wait') await preparation.refilling;
    if (preparation.refilling !== undefined) {
      throw new KnowledgeError(
        'store_unavailable',
        'The knowledge store was damaged and is being refilled from its sources; try again in a few seconds.',
      );
    }
    return project;
  }

  #preparationOf(project: Project): Preparation {
    const { path, store } = project;
    const known = this.#preparations.get(path);
    if (known?.store === store) return known;
    const preparation: Preparation = { store };
    this.#preparations.set(path, preparation);
    if (store.needsReindexing && !this.#refilled.has(store)) {
      preparation.refilling = this.#refill(project, preparation);
    } else this.#begin(project);
    return preparation;
  }

  #begin(project: Project): void {
    this.#options.projectHistory.remember(project.path);
    this.#options.enrichment.schedule(project);
    this.#options.sync.use(project);
  }

  async #refill(project: Project, preparation: Preparation): Promise<void> {
    const { ingestion, logger } = this.#options;
    const { path, store } = project;
    try {
      const { indexed: files } = await ingestion.ingest(project, { unchanged: 'restore' });
      this.#refilled.add(store);
      preparation.refilling = undefined;
      logger.info('The knowledge store was refilled from its sources.', { project: path, files });
      this.#begin(project);
    } catch (error) {
      if (this.#preparations.get(path) === preparation) this.#preparations.delete(path);
      logger.error('The knowledge store could not be refilled; the next request will try again.', {
        error,
      });
    }
  }
}

interface Preparation {
  readonly store: ProjectStore;
  /** Until a store that lost its contents is refilled; never rejects. */
  refilling?: Promise<void> | undefined;
}
