import { categoryHistoryPath, categoryPath } from '../../domain/project-layout.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { ProjectFiles, SkippedFile, TextFile } from '../../ports/driven/project-files.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import type { Ingestion } from '../ingestion/ingestion.js';
import { KeyedMutex } from '../keyed-mutex.js';
import type { Project } from '../projects/project.js';

export interface MemoryFolderPorts {
  readonly files: ProjectFiles;
  readonly ingestion: Ingestion;
  readonly enrichment: Enrichment;
  readonly clock: Clock;
  readonly appDir: string;
}

/** The text of a category after an edit, or why it was left alone. */
export type EditOutcome = { readonly text: string } | SkippedFile;

/** Reads and changes the memory categories of a project; the index follows every change. */
export class MemoryFolder {
  readonly #ports: MemoryFolderPorts;
  /** One change after the other, so that none is made from a text that another has replaced. */
  readonly #changes = new KeyedMutex();

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
    return this.#changes.runExclusive(project.path, async () => {
      const current = await this.readCategory(project, category);
      if (current?.hash !== before.hash) return false;
      const { files } = this.#ports;
      await files.copy(project.path, this.#path(category), this.#historyPath(category));
      await files.writeText(project.path, this.#path(category), text);
      await this.#reindex(project);
      return true;
    });
  }

  /**
   * Makes a new text of a category out of its present one, which is empty for a new category. A file
   * that is there but may not be read is left alone.
   */
  editCategory(
    project: Project,
    category: string,
    edit: (text: string) => string,
  ): Promise<EditOutcome> {
    return this.#changes.runExclusive(project.path, async () => {
      const { files } = this.#ports;
      const path = this.#path(category);
      const current = await files.readText(project.path, path);
      if (current !== undefined && 'skipped' in current) return current;
      const before = current?.text ?? '';
      const text = edit(before);
      if (text === before) return { text };
      if (before.includes(UNREADABLE)) {
        await files.copy(project.path, path, this.#historyPath(category));
      }
      await files.writeText(project.path, path, text);
      await this.#reindex(project);
      return { text };
    });
  }

  async #reindex(project: Project): Promise<void> {
    await this.#ports.ingestion.ingestCategories(project);
    this.#ports.enrichment.wake(project);
  }

  #path(category: string): string {
    return categoryPath(this.#ports.appDir, category);
  }

  #historyPath(category: string): string {
    return categoryHistoryPath(this.#ports.appDir, category, this.#ports.clock.now());
  }
}

/** Stands where bytes were no text, which a new text would lose. */
const UNREADABLE = '\uFFFD';
