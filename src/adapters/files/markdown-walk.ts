import type { Dirent } from 'node:fs';
import { isDocumentationFile, isDocumentationFolder } from '../../domain/documentation.js';
import { globMatcher } from '../../domain/glob.js';
import type { FileListing, MarkdownPatterns } from '../../ports/driven/project-files.js';
import { readFolderInside } from './read-folder.js';

export interface MarkdownWalk extends MarkdownPatterns {
  /** Folders, relative to the project, that are never entered. */
  readonly skippedFolders: readonly string[];
}

/** The documentation files of a project that match the patterns; links to folders are not followed. */
export async function findMarkdown(
  projectPath: string,
  { include, exclude, skippedFolders }: MarkdownWalk,
): Promise<FileListing> {
  const isIncluded = globMatcher(include);
  const isExcluded = globMatcher(exclude);
  const found: string[] = [];
  const unreadable: string[] = [];
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const { entries, isKnown } = await readFolderInside(projectPath, folder);
    if (!isKnown) unreadable.push(folder);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (
        entry.isDirectory() &&
        isDocumentationFolder(entry.name) &&
        !skippedFolders.includes(path)
      )
        open.push(path);
      if (isReadable(entry) && isIncluded(path) && !isExcluded(path)) found.push(path);
    }
  }
  return { paths: found.sort(), unreadable: unreadable.sort() };
}

/** A pattern may match whole folders with other files in them. The target of a link is checked when it is read. */
function isReadable(entry: Dirent): boolean {
  return (entry.isFile() || entry.isSymbolicLink()) && isDocumentationFile(entry.name);
}
