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

/** The files of a project that the patterns choose, sorted; links to folders are not followed. */
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
      if (isFile(entry) && isIncluded(path) && !isExcluded(path)) found.push(path);
    }
  }
  return found.sort();
}

/** Hidden folders (version control and the application directory among them) are no sources. */
function isEntered(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}

/** Where a link to a file leads is checked when it is read. */
function isFile(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

/** A folder that vanished or may not be read has none. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
