import { hiddenFoldersNamedBy } from '../../domain/documentation.js';
import { globMatcher } from '../../domain/glob.js';
import { atOrBelow } from '../../domain/paths.js';
import type { FileListing, MarkdownPatterns } from '../../ports/driven/project-files.js';
import { CooperativeYield } from './cooperative-yield.js';
import { isDocumentation, pathIn, walkFolders } from './folder-walk.js';

export interface MarkdownWalk extends MarkdownPatterns {
  /** Folders, relative to the project, that are never entered. */
  readonly skippedFolders: readonly string[];
  readonly appDir: string;
}

/** The documentation files of a project that match the patterns, first the files and then the links to files. */
export async function findMarkdown(projectPath: string, walk: MarkdownWalk): Promise<FileListing> {
  const { include, exclude, within } = walk;
  const isIncluded = globMatcher(include);
  const isExcluded = globMatcher(exclude);
  const isWithin = within === undefined ? () => true : atOrBelow(within);
  const files: string[] = [];
  const links: string[] = [];
  const unreadable: string[] = [];
  const cpu = new CooperativeYield();
  const named = { ...walk, hidden: hiddenFoldersNamedBy(include, walk.appDir) };
  for await (const { path: folder, entries, isKnown } of walkFolders(projectPath, named)) {
    if (!isKnown) unreadable.push(folder);
    for (const entry of entries.filter(isDocumentation)) {
      await cpu.yieldIfDue();
      const path = pathIn(folder, entry);
      if (!isIncluded(path) || isExcluded(path) || !isWithin(path)) continue;
      (entry.isFile() ? files : links).push(path);
    }
  }
  return { paths: [...files.sort(), ...links.sort()], unreadable: unreadable.sort() };
}
