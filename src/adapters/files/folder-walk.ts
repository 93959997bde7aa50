import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import {
  isBuildFolder,
  isDocumentationFolder,
  isSkippedUnnamed,
  NEVER_SEARCHED,
} from '../../domain/documentation.js';
import { above, atOrBelow } from '../../domain/paths.js';
import type { FileListing, LeftOut } from '../../ports/project-files.js';
import { GitIgnoreRules } from './git-ignore-rules.js';
import { OutsideFile, RefusedFile, realPathInside, unlessUnreadable } from './inside-project.js';

interface FolderWalk {
  /** Whether to leave out what `.gitignore` files ignore, nested repositories and build folders. */
  readonly ignore: boolean;
  /** Folders, relative to the project, that are never entered. */
  readonly skippedFolders: readonly string[];
  /** Folders, relative to the project, that are entered whatever they are; default none. */
  readonly named?: readonly string[] | undefined;
  /** Called for what `ignore` leaves out. */
  readonly onLeftOut?: (leftOut: LeftOut) => void;
  /** Only folders above, at and below these paths are entered; default all. */
  readonly within?: readonly string[] | undefined;
}

/** The contents of a folder. */
interface FolderReading<Entry = Dirent> {
  /** Empty if the folder does not exist, leads out of the project or cannot be read. */
  readonly entries: readonly Entry[];
  /** False if the folder exists but its contents are not known. */
  readonly isKnown: boolean;
}

/** A folder, relative to the project (which is empty), without the entries that are ignored. */
export interface WalkedFolder extends FolderReading {
  readonly path: string;
}

/**
 * The folders of a project in which documentation may be. Links to folders are not followed. The event loop runs after
 * every few folders.
 */
export async function* walkFolders(
  projectPath: string,
  walk: FolderWalk,
): AsyncGenerator<WalkedFolder> {
  const isOnTheWay = leadsTo(walk.within);
  const isNamed = isNamedBy(walk.named ?? []);
  const toRead: FolderToRead[] = [
    { path: '', rules: walk.ignore ? GitIgnoreRules.above(projectPath) : GitIgnoreRules.none },
  ];
  let walked = 0;
  for (let folder = toRead.pop(); folder !== undefined; folder = toRead.pop()) {
    walked += 1;
    if (walked % FOLDERS_AT_ONCE === 0) await setImmediate();
    if (walked > WALKED_FOLDERS_MAX) {
      yield { path: folder.path, entries: [], isKnown: false };
      continue;
    }
    const read = readVisible(projectPath, folder, { ...walk, isNamed });
    if (read === undefined) continue;
    const { rules, ...found } = read;
    yield found;
    for (const entry of found.entries) {
      const path = pathIn(folder.path, entry);
      if (isOnTheWay(path) && isEntered(entry, path, { ...walk, isNamed }))
        toRead.push({ path, rules: rules.ignores(path, 'folder') ? GitIgnoreRules.none : rules });
    }
  }
}

/** The path of an entry of a folder. */
export function pathIn(folder: string, { name }: Pick<Dirent, 'name'>): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/**
 * Reads a folder of a project; never follows a link out of it. Nothing is known of a project whose own
 * folder is gone: it may have been moved, with everything in it.
 */
export function readFolderInside(projectPath: string, path: string): FolderReading {
  return readInside(projectPath, path, (real) => readdirSync(real, { withFileTypes: true }));
}

/** The files at any depth below a folder of a project, links last; hidden ones are left out. */
export function filesBelow(projectPath: string, folder: string): FileListing {
  const [files, links, unreadable]: [string[], string[], string[]] = [[], [], []];
  const toRead = [folder];
  for (let path = toRead.pop(), read = 0; path !== undefined; path = toRead.pop(), read += 1) {
    const isTooMuch = read >= FOLDERS_BELOW_MAX;
    const { entries, isKnown } = isTooMuch ? UNREADABLE : readFolderInside(projectPath, path);
    if (!isKnown) unreadable.push(path);
    for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
      const group = entry.isDirectory() ? toRead : entry.isSymbolicLink() ? links : files;
      group.push(pathIn(path, entry));
    }
  }
  return { paths: [...files.sort(), ...links.sort()], unreadable: unreadable.sort() };
}

/** The same, with the names of the entries alone. */
export function namesInside(projectPath: string, path: string): FolderReading<string> {
  return readInside(projectPath, path, (real) => readdirSync(real));
}

function readInside<Entry>(
  projectPath: string,
  path: string,
  read: (folder: string) => readonly Entry[],
): FolderReading<Entry> {
  try {
    const real = realPathInside(projectPath, path);
    if (real === undefined) return path === '' ? UNREADABLE : NO_ENTRIES;
    const entries = unlessUnreadable(() => read(real));
    if (entries === undefined) return NO_ENTRIES;
    return realPathInside(projectPath, path) === real ? { entries, isKnown: true } : UNREADABLE;
  } catch (error) {
    if (error instanceof OutsideFile) return NO_ENTRIES;
    if (error instanceof RefusedFile) return UNREADABLE;
    throw error;
  }
}

const NO_ENTRIES: FolderReading<never> = { entries: [], isKnown: true };
const UNREADABLE: FolderReading<never> = { entries: [], isKnown: false };

interface FolderToRead {
  readonly path: string;
  readonly rules: GitIgnoreRules;
}

interface NamedWalk extends FolderWalk {
  readonly isNamed: (folder: string) => boolean;
}

/** Undefined for another repository, or a worktree, inside the project. */
function readVisible(
  projectPath: string,
  { path, rules: above }: FolderToRead,
  { ignore, isNamed, onLeftOut }: NamedWalk,
): (WalkedFolder & FolderToRead) | undefined {
  const { entries, isKnown } = readFolderInside(projectPath, path);
  if (!ignore) return { path, entries, isKnown, rules: above };
  if (path !== '' && entries.some(({ name }) => name === '.git') && !isNamed(path)) {
    onLeftOut?.({ path: `${path}/`, why: 'it is a repository of its own' });
    return undefined;
  }
  const hasRules = entries.some(({ name }) => name === '.gitignore');
  const rules = hasRules ? above.with(projectPath, path) : above;
  const visible = entries.filter((entry) => {
    const [entryPath, isFolder] = [pathIn(path, entry), entry.isDirectory()];
    if (!rules.ignores(entryPath, isFolder ? 'folder' : 'file')) return true;
    if (isFolder && isNamed(entryPath)) return true;
    if (!isFolder || isDocumentationFolder(entry.name))
      onLeftOut?.({ path: isFolder ? `${entryPath}/` : entryPath, why: 'git ignores it' });
    return false;
  });
  return { path, entries: visible, isKnown, rules };
}

function isEntered(
  entry: Dirent,
  path: string,
  { ignore, skippedFolders, isNamed, onLeftOut }: NamedWalk,
): boolean {
  const { name } = entry;
  if (!entry.isDirectory() || NEVER_SEARCHED.has(name) || skippedFolders.includes(path))
    return false;
  if (isNamed(path)) return true;
  const isLeftOut = ignore && isBuildFolder(name);
  if (isLeftOut) onLeftOut?.({ path: `${path}/`, why: 'it is a folder of builds' });
  return !isLeftOut && isDocumentationFolder(name);
}

/** Whether a folder is one of these or above one of them, or below one that is searched only because it is named. */
function isNamedBy(folders: readonly string[]): (folder: string) => boolean {
  const isOnTheWay = above(folders.map((folder) => `${folder}/`));
  const isBelow = atOrBelow(folders.filter(isSkippedUnnamed));
  return (folder) => isOnTheWay(folder) || isBelow(folder);
}

/** Whether a folder is on the way to one of these paths, or below one; true for all where there are none. */
export function leadsTo(paths: readonly string[] | undefined): (folder: string) => boolean {
  if (paths === undefined) return () => true;
  const [isAbove, isBelow] = [above(paths), atOrBelow(paths)];
  return (folder) => isAbove(folder) || isBelow(folder);
}

/** Folders in which documentation is looked for. */
const WALKED_FOLDERS_MAX = 50_000;
const FOLDERS_AT_ONCE = 50;

/** Folders of documents that are read, at once. */
const FOLDERS_BELOW_MAX = 2_000;
