import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** One watch for each folder of a project; the system tells of changes of what is directly in it. */
export class FolderWatches {
  readonly #projectPath: string;
  readonly #options: FolderWatchesOptions;
  readonly #watches = new Map<string, FSWatcher>();

  constructor(projectPath: string, options: FolderWatchesOptions) {
    this.#projectPath = projectPath;
    this.#options = options;
  }

  has(folder: string): boolean {
    return this.#watches.has(folder);
  }

  /**
   * False if the folder cannot be watched: the system refuses, or there are too many. True for one that does
   * not exist: the folder above tells when it comes.
   */
  add(folder: string): boolean {
    if (this.#watches.has(folder)) return true;
    if (this.#watches.size >= this.#options.maxFolders) return false;
    try {
      const watching = watch(join(this.#projectPath, folder), { persistent: false });
      watching.on('change', (type, name) =>
        this.#options.onEvent({ folder, name: name?.toString(), type }),
      );
      watching.on('error', () => this.remove(folder));
      this.#watches.set(folder, watching);
      return true;
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      return isMissing && folder !== '';
    }
  }

  /** Ends the watches of a folder and of all folders below it. */
  remove(folder: string): void {
    for (const [path, watching] of this.#watches) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watching.close();
      this.#watches.delete(path);
    }
  }

  /** Ends the watches of all folders but these. */
  keepOnly(folders: ReadonlySet<string>): void {
    for (const path of this.#watches.keys()) if (!folders.has(path)) this.remove(path);
  }

  close(): void {
    for (const watching of this.#watches.values()) watching.close();
    this.#watches.clear();
  }
}

export interface FolderWatchesOptions {
  readonly maxFolders: number;
  readonly onEvent: (event: FolderEvent) => void;
}

/** Something happened to an entry of a folder. */
export interface FolderEvent {
  readonly folder: string;
  /** Undefined if the system does not say which. */
  readonly name: string | undefined;
  /** `rename` if the entry came, went or got another name; `change` if it was written. */
  readonly type: string;
}
