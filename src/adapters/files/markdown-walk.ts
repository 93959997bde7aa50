import type { Dirent } from 'node:fs';
import { globMatcher } from '../../domain/glob.js';
import type { FileListing, MarkdownPatterns } from '../../ports/driven/project-files.js';
import { readFolderInside } from './read-folder.js';

export interface MarkdownWalk extends MarkdownPatterns {
  /** Folders, relative to the project, that are never entered. */
  readonly skippedFolders: readonly string[];
}

/** The markdown files of a project that match the patterns; links to folders are not followed. */
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
      if (entry.isDirectory() && isEntered(entry.name) && !skippedFolders.includes(path))
        open.push(path);
      if (isMarkdownFile(entry) && isIncluded(path) && !isExcluded(path)) found.push(path);
    }
  }
  return { paths: found.sort(), unreadable: unreadable.sort() };
}

/** Hidden folders, such as version control and the application directory, contain no sources. */
function isEntered(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}

/** A pattern may match whole folders with other files in them. The target of a link is checked when it is read. */
function isMarkdownFile(entry: Dirent): boolean {
  return (entry.isFile() || entry.isSymbolicLink()) && /\.(?:md|mdx|markdown)$/i.test(entry.name);
}
