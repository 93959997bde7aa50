import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { FileNames } from '../../ports/driven/file-names.js';
import { pathIn, walkFolders } from './folder-walk.js';

/** The names of files in the file system. */
export class FileSystemFileNames implements FileNames {
  readonly #appDirs: AppDirectories;

  constructor(appDirs: AppDirectories) {
    this.#appDirs = appDirs;
  }

  async list(
    projectPath: string,
    { ignore }: { readonly ignore: boolean },
  ): Promise<readonly string[]> {
    const names: string[] = [];
    const walk = { ignore, skippedFolders: [this.#appDirs.of(projectPath)] };
    for await (const { path, entries } of walkFolders(projectPath, walk)) {
      for (const entry of entries) {
        if (names.length >= FILE_NAMES_MAX) return names;
        if (entry.isFile() || entry.isSymbolicLink()) names.push(pathIn(path, entry));
      }
    }
    return names;
  }
}

/** Files of a project whose names are looked through. */
const FILE_NAMES_MAX = 100_000;
