import type { Dirent } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import {
  isDocumentationFolder,
  isSkippedUnnamed,
  NEVER_SEARCHED,
  reasonToIgnore,
} from '../../domain/documentation.js';
import { SOURCE_FOLDERS_MAX } from '../../domain/limits.js';
import { above, atOrBelow } from '../../domain/paths.js';
import type { LeftOut } from '../../ports/project-files.js';
import { GITIGNORE, GitIgnoreRules } from './git-ignore-rules.js';
import { type FolderReading, readFolderInside } from './read-folder.js';

interface FolderWalk {
  /** Whether to skip files ignored by git, nested repositories, and folders of builds and third-party code. */
  readonly ignore: boolean;
  /** Folders, relative to the project, that are never entered. */
  readonly skippedFolders: readonly string[];
  /**
   * Folders, relative to the project, that are searched even if ignored. Their ignored ancestors are only traversed.
   * Default: none.
   */
  readonly named?: readonly string[] | undefined;
  /** Called for each entry that `ignore` skips. */
  readonly onLeftOut?: ((leftOut: LeftOut) => void) | undefined;
  /** Only folders above, at and below these paths are entered; default all. */
  readonly within?: readonly string[] | undefined;
}

/** A folder, relative to the project (empty for the project itself), without ignored entries. */
export interface WalkedFolder extends FolderReading {
  readonly path: string;
}

/**
 * Walks the folders of a project in which documentation may be. Does not follow links to folders. Yields to the event
 * loop every few milliseconds.
 */
export async function* walkFolders(
  projectPath: string,
  walk: FolderWalk,
): AsyncGenerator<WalkedFolder> {
  const isOnTheWay = leadsTo(walk.within);
  const namedWalk = { ...walk, ...namedBy(walk.named ?? []) };
  const { isNamed, isPassed } = namedWalk;
  const rootRules = walk.ignore ? GitIgnoreRules.above(projectPath) : GitIgnoreRules.none;
  const toRead: FolderToRead[] = [{ path: '', rules: rootRules, isPassage: false }];
  let walked = 0;
  let turnEndsAt = performance.now() + TURN_MS;
  for (let folder = toRead.pop(); folder !== undefined; folder = toRead.pop()) {
    walked += 1;
    if (performance.now() > turnEndsAt) {
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
    if (walked > WALKED_FOLDERS_MAX || isTooDeep(folder.path)) {
      yield { path: folder.path, entries: [], isKnown: false };
      continue;
    }
    const read = readVisible(projectPath, folder, namedWalk);
    if (read === undefined) continue;
    const { rules, isPassage, ...found } = read;
    yield found;
    for (const entry of found.entries) {
      const path = joinPath(folder.path, entry);
      if (!isOnTheWay(path) || !isEntered(entry, path, namedWalk)) continue;
      const isIgnored = isNamed(path) && rules.ignores(path, 'folder');
      const isLeftOut = isPassage || isIgnored || isSkipped(entry.name, walk);
      toRead.push({
        path,
        rules: isIgnored ? GitIgnoreRules.none : rules,
        isPassage: isLeftOut && isPassed(path),
      });
    }
  }
}

/** The path of an entry, given the path of its folder (empty for the project). */
export function joinPath(folder: string, { name }: Pick<Dirent, 'name'>): string {
  return folder === '' ? name : `${folder}/${name}`;
}

interface FolderToRead {
  readonly path: string;
  readonly rules: GitIgnoreRules;
  /** An ignored ancestor of a folder that a pattern names: traverse it, but do not list it. */
  readonly isPassage: boolean;
}

interface NamedFolders {
  /** Whether a folder is named, is above a named one, or is below one that is searched only because it is named. */
  readonly isNamed: (folder: string) => boolean;
  /** Whether a folder is above a named one, but neither named nor below one itself. */
  readonly isPassed: (folder: string) => boolean;
}

type NamedWalk = FolderWalk & NamedFolders;

/** Reads a folder without its ignored entries. Undefined for another repository or a worktree inside the project. */
function readVisible(
  projectPath: string,
  { path, rules: above, isPassage: isPassageAbove }: FolderToRead,
  { ignore, isNamed, isPassed, onLeftOut }: NamedWalk,
): (WalkedFolder & FolderToRead) | undefined {
  const { entries: all, isKnown } = readFolderInside(projectPath, path);
  const isRepository = ignore && path !== '' && all.some(({ name }) => name === '.git');
  if (isRepository && !isNamed(path)) {
    onLeftOut?.({ path: `${path}/`, why: 'it is a separate repository' });
    return undefined;
  }
  const isPassage = isPassageAbove || (isRepository && isPassed(path));
  const entries = isPassage
    ? all.filter((entry) => entry.name === GITIGNORE || isNamed(joinPath(path, entry)))
    : all;
  if (!ignore) return { path, entries, isKnown, rules: above, isPassage };
  const hasRules = entries.some(({ name }) => name === GITIGNORE);
  const rules = hasRules ? above.with(projectPath, path) : above;
  const visible = entries.filter((entry) => {
    const [entryPath, isFolder] = [joinPath(path, entry), entry.isDirectory()];
    if (!rules.ignores(entryPath, isFolder ? 'folder' : 'file')) return true;
    if (isFolder && isNamed(entryPath)) return true;
    if (!isFolder || isDocumentationFolder(entry.name))
      onLeftOut?.({ path: isFolder ? `${entryPath}/` : entryPath, why: 'git ignores it' });
    return false;
  });
  return { path, entries: visible, isKnown, rules, isPassage };
}

function isEntered(entry: Dirent, path: string, walk: NamedWalk): boolean {
  const { name } = entry;
  if (!entry.isDirectory() || NEVER_SEARCHED.has(name) || walk.skippedFolders.includes(path))
    return false;
  if (walk.isNamed(path)) return true;
  const isLeftOut = isSkipped(name, walk);
  if (isLeftOut && isDocumentationFolder(name))
    walk.onLeftOut?.({ path: `${path}/`, why: reasonToIgnore(name) ?? '' });
  return !isLeftOut;
}

/** Whether a folder is left out because of its name, unless a pattern names it. */
function isSkipped(name: string, { ignore }: Pick<FolderWalk, 'ignore'>): boolean {
  return !isDocumentationFolder(name) || (ignore && reasonToIgnore(name) !== undefined);
}

function namedBy(folders: readonly string[]): NamedFolders {
  const isAbove = above(folders);
  const named = new Set(folders);
  const isBelow = atOrBelow(folders.filter(isSkippedUnnamed));
  const isSearched = (folder: string) => named.has(folder) || isBelow(folder);
  return {
    isNamed: (folder) => isAbove(folder) || isSearched(folder),
    isPassed: (folder) => isAbove(folder) && !isSearched(folder),
  };
}

/** Whether a folder is above, at or below one of these paths; true for every folder if `paths` is undefined. */
export function leadsTo(paths: readonly string[] | undefined): (folder: string) => boolean {
  if (paths === undefined) return () => true;
  const [isAbove, isBelow] = [above(paths), atOrBelow(paths)];
  return (folder) => isAbove(folder) || isBelow(folder);
}

/** Limit of folders searched for documentation. */
const WALKED_FOLDERS_MAX = 50_000;

/** How long a walk may block the event loop, in milliseconds. */
const TURN_MS = 10;

/** Whether a folder is too deep to be searched. Resolving a path takes time in proportion to its depth. */
export function isTooDeep(path: string): boolean {
  return path.split('/').length > SOURCE_FOLDERS_MAX;
}
