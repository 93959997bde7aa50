import type { Dirent } from 'node:fs';
import {
  isBuildFolder,
  isDocumentationFile,
  isDocumentationFolder,
  NEVER_SEARCHED,
} from '../../domain/documentation.js';
import { above, atOrBelow } from '../../domain/paths.js';
import { GitIgnoreRules } from './git-ignore-rules.js';
import { readFolderInside } from './read-folder.js';

export interface FolderWalk {
  /** Whether to leave out what `.gitignore` files ignore, nested repositories and build folders. */
  readonly ignore: boolean;
  /** Folders, relative to the project, that are never entered. */
  readonly skippedFolders: readonly string[];
  /** Hidden folders, relative to the project, that are entered all the same; default none. */
  readonly hidden?: readonly string[] | undefined;
  /** Only folders above, at and below these paths are entered; default all. */
  readonly within?: readonly string[] | undefined;
}

export interface WalkedFolder {
  /** Relative to the project; empty for the project itself. */
  readonly path: string;
  /** Without those that are ignored. */
  readonly entries: readonly Dirent[];
  /** False if the folder exists, but what it holds is not known. */
  readonly isKnown: boolean;
}

/** The folders of a project in which documentation may be. Links to folders are not followed. */
export async function* walkFolders(
  projectPath: string,
  walk: FolderWalk,
): AsyncGenerator<WalkedFolder> {
  const isOnTheWay = leadsTo(walk.within);
  const isNamed = walk.hidden?.length ? leadsTo(walk.hidden) : () => false;
  const open: OpenFolder[] = [{ path: '', rules: GitIgnoreRules.none }];
  let walked = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    walked += 1;
    if (walked > WALKED_FOLDERS_MAX) {
      yield { path: folder.path, entries: [], isKnown: false };
      continue;
    }
    const read = await readVisible(projectPath, folder, walk);
    if (read === undefined) continue;
    const { rules, ...found } = read;
    yield found;
    for (const entry of found.entries) {
      const path = pathIn(folder.path, entry);
      const isSearched = isDocumentationFolder(entry.name) || isNamed(path);
      if (isSearched && isEntered(entry, path, walk) && isOnTheWay(path))
        open.push({ path, rules });
    }
  }
}

/** Whether an entry of a folder may be documentation. The target of a link is checked when it is read. */
export function isDocumentation(entry: Dirent): boolean {
  return (entry.isFile() || entry.isSymbolicLink()) && isDocumentationFile(entry.name);
}

/** The path of an entry of a folder. */
export function pathIn(folder: string, { name }: Pick<Dirent, 'name'>): string {
  return folder === '' ? name : `${folder}/${name}`;
}

interface OpenFolder {
  readonly path: string;
  readonly rules: GitIgnoreRules;
}

interface VisibleFolder extends WalkedFolder {
  readonly rules: GitIgnoreRules;
}

/** Undefined for another repository, or a worktree, inside the project. */
async function readVisible(
  projectPath: string,
  { path, rules: above }: OpenFolder,
  { ignore }: FolderWalk,
): Promise<VisibleFolder | undefined> {
  const { entries, isKnown } = await readFolderInside(projectPath, path);
  if (!ignore) return { path, entries, isKnown, rules: above };
  if (path !== '' && entries.some(({ name }) => name === '.git')) return undefined;
  const hasRules = entries.some(({ name }) => name === '.gitignore');
  const rules = hasRules ? await above.with(projectPath, path) : above;
  const visible = entries.filter(
    (entry) => !rules.ignores(pathIn(path, entry), entry.isDirectory() ? 'folder' : 'file'),
  );
  return { path, entries: visible, isKnown, rules };
}

function isEntered(entry: Dirent, path: string, { ignore, skippedFolders }: FolderWalk): boolean {
  if (!entry.isDirectory() || NEVER_SEARCHED.has(entry.name)) return false;
  return !skippedFolders.includes(path) && !(ignore && isBuildFolder(entry.name));
}

/** Whether a folder is on the way to one of these paths, or below one; true for all where there are none. */
function leadsTo(paths: readonly string[] | undefined): (folder: string) => boolean {
  if (paths === undefined) return () => true;
  const [isAbove, isBelow] = [above(paths), atOrBelow(paths)];
  return (folder) => isAbove(folder) || isBelow(folder);
}

/** Folders in which documentation is looked for. */
const WALKED_FOLDERS_MAX = 50_000;
