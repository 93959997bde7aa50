import { reasonOf } from '../../domain/errors.js';
import type { FirstIndexing } from '../../domain/search.js';
import type { Project } from '../projects/project.js';
import { type FreshnessPorts, FreshProject } from './fresh-project.js';
import type { Freshness } from './freshness.js';

/** Watches the sources of every project that is in use; with a watcher that knows no project, nothing happens. */
export class SourceFreshness implements Freshness {
  readonly #ports: FreshnessPorts;
  readonly #projects = new Map<string, FreshProject>();
  #isStopped = false;

  constructor(ports: FreshnessPorts) {
    this.#ports = ports;
  }

  use(project: Project): void {
    this.#freshProject(project);
  }

  async searched(project: Project): Promise<FirstIndexing | undefined> {
    try {
      return await this.#freshProject(project)?.searched();
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }

  async goneAmong(project: Project, sourceFiles: readonly string[]): Promise<readonly string[]> {
    try {
      return (await this.#freshProject(project)?.goneAmong(sourceFiles)) ?? [];
    } catch (error) {
      this.#warn(error);
      return [];
    }
  }

  async release(projectPath: string): Promise<void> {
    const fresh = this.#projects.get(projectPath);
    this.#projects.delete(projectPath);
    await fresh?.stop();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#projects.values()].map((fresh) => fresh.stop()));
  }

  /** A project whose store was opened again is watched anew. */
  #freshProject(project: Project): FreshProject | undefined {
    if (this.#isStopped || !this.#ports.watcher.isProject(project.path)) return undefined;
    const known = this.#projects.get(project.path);
    if (known?.project.store === project.store && !known.isStopped) return known;
    void known?.stop();
    const fresh = new FreshProject(project, this.#ports);
    this.#projects.set(project.path, fresh);
    return fresh;
  }

  #warn(error: unknown): void {
    this.#ports.logger.warn('The files of a project could not be looked at; the search went on.', {
      reason: reasonOf(error),
    });
  }
}
