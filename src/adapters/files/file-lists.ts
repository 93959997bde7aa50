import { isDocumentationFile, skippedFoldersNamedBy } from '../../domain/documentation.js';
import { globMatcher } from '../../domain/glob.js';
import { atOrBelow } from '../../domain/paths.js';
import { ownFolders } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { FileListing, FileNames, MarkdownPatterns } from '../../ports/project-files.js';
import { pathIn, type WalkedFolder, walkFolders } from './folder-walk.js';

interface MarkdownSearch extends MarkdownPatterns {
  readonly appDir: string;
  /** Called for each folder, before its files are looked at. */
  readonly onFolder?: (folder: WalkedFolder) => void;
}

/** The documentation files of a project that match the patterns, first the files and then the links to files. */
export async function findMarkdown(
  projectPath: string,
  { include, exclude, ignore, within, appDir, onFolder }: MarkdownSearch,
): Promise<FileListing> {
  const [isIncluded, isExcluded] = [globMatcher(include), globMatcher(exclude)];
  const isWithin = within === undefined ? () => true : atOrBelow(within);
  const files: string[] = [];
  const links: string[] = [];
  const unreadable: string[] = [];
  const named = skippedFoldersNamedBy(include);
  const walk = { ignore, within, named, skippedFolders: ownFolders(appDir) };
  for await (const folder of walkFolders(projectPath, walk)) {
    onFolder?.(folder);
    if (!folder.isKnown) unreadable.push(folder.path);
    for (const entry of folder.entries) {
      // The target of a link is checked when it is read.
      const isFile = entry.isFile() || entry.isSymbolicLink();
      if (!isFile || !isDocumentationFile(entry.name)) continue;
      const path = pathIn(folder.path, entry);
      if (!isIncluded(path) || isExcluded(path) || !isWithin(path)) continue;
      (entry.isFile() ? files : links).push(path);
    }
  }
  return { paths: [...files.sort(), ...links.sort()], unreadable: unreadable.sort() };
}

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
