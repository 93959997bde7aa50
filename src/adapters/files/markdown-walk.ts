import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';

export interface MarkdownPatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Folders, relative to the project, that are never entered. */
  readonly closed: readonly string[];
}

/** The markdown files of a project that the patterns choose, sorted; links to folders are not followed. */
export async function findMarkdown(
  projectPath: string,
  { include, exclude, closed }: MarkdownPatterns,
): Promise<readonly string[]> {
  const isIncluded = picomatch([...include]);
  const isExcluded = picomatch([...exclude]);
  const found: string[] = [];
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await entriesOf(join(projectPath, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && isEntered(entry.name) && !closed.includes(path)) open.push(path);
      if (isMarkdownFile(entry) && isIncluded(path) && !isExcluded(path)) found.push(path);
    }
  }
  return found.sort();
}

/** Hidden folders (version control and the application directory among them) are no sources. */
function isEntered(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}

/** A pattern may take in whole folders, with pictures in them. Where a link leads is checked when it is read. */
function isMarkdownFile(entry: Dirent): boolean {
  return (entry.isFile() || entry.isSymbolicLink()) && /\.(?:md|mdx|markdown)$/i.test(entry.name);
}

/** A folder that vanished or may not be read has none. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
