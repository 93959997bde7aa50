import { KnowledgeError } from '../../domain/errors.js';
import { categoryPath, historyFolder } from '../../domain/project-layout.js';
import { historyName } from '../../domain/upkeep/categories.js';
import type { Clock } from '../../ports/clock.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type {
  ProjectFiles,
  Replacement,
  SkippedFile,
  TextFile,
} from '../../ports/project-files.js';
import { ExclusiveChanges } from '../leases.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';

interface MemoryFolderOptions {
  readonly files: ProjectFiles;
  readonly clock: Clock;
  readonly appDirs: AppDirectories;
}

/** The text of a category after an edit, or why it was not edited. */
export type EditOutcome = { readonly text: string } | SkippedFile;

/** Reads and changes the memory categories of a project; the index follows every change. */
export class MemoryFolder {
  readonly #options: MemoryFolderOptions;
  /** Runs changes one at a time, so that none is based on replaced text. */
  readonly #changes: ExclusiveChanges;

  constructor(options: MemoryFolderOptions) {
    this.#options = options;
    this.#changes = new ExclusiveChanges(options.clock, 'memory');
  }

  /** Reads a category; undefined if it does not exist or may not be read. */
  async readCategory(
    project: Pick<Project, 'path'>,
    category: string,
  ): Promise<TextFile | undefined> {
    const reading = await this.#options.files.readText(project.path, this.#path(project, category));
    return reading === undefined || 'skipped' in reading ? undefined : reading;
  }

  /**
   * Replaces the text of a category and copies the old file to the history. Returns false if the text is no longer
   * `before`.
   */
  replaceCategory(
    project: OpenProject,
    category: string,
    { before, text }: { readonly before: TextFile; readonly text: string },
  ): Promise<boolean> {
    return this.#changes.run(project, async () => {
      const { files } = this.#options;
      const path = this.#path(project, category);
      const current = await this.readCategory(project, category);
      if (current?.hash !== before.hash) return false;
      await files.copy(project.path, path, this.#historyPath(project, category));
      return this.#write(project, path, { text, expectedVersion: current.version });
    });
  }

  /**
   * Edits the text of a category, which is empty for a new one. Skips an unreadable file. Calls `edit` again if another
   * writer changed the file.
   * @throws KnowledgeError `store_unavailable` if the file keeps changing
   */
  editCategory(
    project: OpenProject,
    category: string,
    edit: (text: string) => string,
  ): Promise<EditOutcome> {
    return this.#changes.run(project, async () => {
      for (let attempt = 0; attempt < EDIT_ATTEMPTS; attempt += 1) {
        const outcome = await this.#tryEdit(project, category, edit);
        if (outcome !== undefined) return outcome;
      }
      throw new KnowledgeError(
        'store_unavailable',
        `The memory category "${category}" keeps changing; try again when no other program writes to it.`,
      );
    });
  }

  /** Tries to edit a category once; undefined if the file changed between reading and writing. */
  async #tryEdit(
    project: OpenProject,
    category: string,
    edit: (text: string) => string,
  ): Promise<EditOutcome | undefined> {
    const { files } = this.#options;
    const path = this.#path(project, category);
    const current = await files.readText(project.path, path);
    if (current !== undefined && 'skipped' in current) return current;
    const before = current?.text ?? '';
    const text = edit(before);
    if (text === before) return { text };
    if (before.includes(UNREADABLE)) {
      await files.copy(project.path, path, this.#historyPath(project, category));
    }
    const expectedVersion = current?.version;
    const isWritten = await this.#write(project, path, { text, expectedVersion });
    return isWritten ? { text } : undefined;
  }

  /** Writes a category and updates the index. Returns false if the file no longer has the expected version. */
  async #write(project: OpenProject, path: string, replacement: Replacement): Promise<boolean> {
    if (!(await this.#options.files.replaceText(project.path, path, replacement))) return false;
    await project.ingest({ group: 'categories' });
    return true;
  }

  #path({ path }: Pick<Project, 'path'>, category: string): string {
    return categoryPath(this.#options.appDirs.of(path), category);
  }

  #historyPath({ path }: Project, category: string): string {
    const { appDirs, clock } = this.#options;
    return `${historyFolder(appDirs.of(path))}/${historyName(category, clock.now())}.md`;
  }
}

const EDIT_ATTEMPTS = 10;

/**
 * Replaces invalid bytes in a text that was read. Writing it back loses them, so the old file is copied to the history.
 */
const UNREADABLE = '\uFFFD';
