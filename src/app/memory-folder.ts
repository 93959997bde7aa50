import type { Clock } from '../ports/clock.js';
import type { ProjectFiles, TextFile } from '../ports/project-files.js';
import type { Enrichment } from './enrichment/enrichment.js';
import type { Ingestion } from './ingestion/ingestion.js';
import type { Project } from './project.js';

export interface MemoryFolderPorts {
  readonly files: ProjectFiles;
  readonly ingestion: Ingestion;
  readonly enrichment: Enrichment;
  readonly clock: Clock;
  readonly appDir: string;
}

/** Reads and changes the memory categories of a project; the index follows every change. */
export class MemoryFolder {
  readonly #ports: MemoryFolderPorts;
  readonly #changes = new Map<string, Promise<unknown>>();

  constructor(ports: MemoryFolderPorts) {
    this.#ports = ports;
  }

  /** Undefined where there is no such category, or none that may be read. */
  async readCategory(project: Project, category: string): Promise<TextFile | undefined> {
    const reading = await this.#ports.files.readText(project.path, this.#path(category));
    return reading === undefined || 'skipped' in reading ? undefined : reading;
  }

  /** Replaces the text of a category and keeps its old bytes; false where it is no longer `before`. */
  replaceCategory(
    project: Project,
    category: string,
    { before, text }: { readonly before: TextFile; readonly text: string },
  ): Promise<boolean> {
    return this.#inTurn(project, async () => {
      const current = await this.readCategory(project, category);
      if (current?.hash !== before.hash) return false;
      const { files } = this.#ports;
      await files.copy(project.path, this.#path(category), this.#historyPath(category));
      await files.writeText(project.path, this.#path(category), text);
      await this.#reindex(project);
      return true;
    });
  }

  /** Makes a new text of a category out of its present one, which is empty for a new category. */
  editCategory(project: Project, category: string, edit: (text: string) => string): Promise<void> {
    return this.#inTurn(project, async () => {
      const current = await this.readCategory(project, category);
      await this.#ports.files.writeText(
        project.path,
        this.#path(category),
        edit(current?.text ?? ''),
      );
      await this.#reindex(project);
    });
  }

  /** One change after the other, so that none is made from a text that another has replaced. */
  #inTurn<T>(project: Project, change: () => Promise<T>): Promise<T> {
    const turn = (this.#changes.get(project.path) ?? Promise.resolve()).then(change);
    this.#changes.set(
      project.path,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #reindex(project: Project): Promise<void> {
    await this.#ports.ingestion.ingestCategories(project);
    this.#ports.enrichment.wake(project);
  }

  #path(category: string): string {
    return `${this.#ports.appDir}/memory/${category}.md`;
  }

  #historyPath(category: string): string {
    const time = this.#ports.clock.now().toISOString().replaceAll(':', '-');
    return `${this.#ports.appDir}/memory/.history/${category}-${time}.md`;
  }
}
