import {
  foldersNamedBy,
  isDocumentationFile,
  withPlainEnding,
} from '../../domain/documentation.js';
import { globMatcher } from '../../domain/glob.js';
import { atOrBelow, parentFolder } from '../../domain/paths.js';
import { ownFolders } from '../../domain/project-layout.js';
import { isUserId } from '../../domain/saved/user-note-ids.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type {
  FileListing,
  FileNames,
  LeftOut,
  MarkdownPatterns,
} from '../../ports/project-files.js';
import { eventLoop } from '../../shared/in-batches.js';
import { isTooDeep, joinPath, leadsTo, type WalkedFolder, walkFolders } from './folder-walk.js';
import { leftOutLink, readFolderInside, UNREADABLE } from './read-folder.js';
import { leadsToFolder, notFollowed, UnmatchedFiles } from './unmatched-files.js';

interface MarkdownSearch extends MarkdownPatterns {
  readonly appDir: string;
  /** Called for each folder before its files. With it, ignored and unmatched files are not reported. */
  readonly onFolder?: (folder: WalkedFolder) => void;
}

/** The documentation files of a project that match the patterns, files first, then links to files. */
export async function findMarkdown(
  projectPath: string,
  { include, exclude, ignore, within, appDir, onFolder }: MarkdownSearch,
): Promise<FileListing> {
  const unmatched = new UnmatchedFiles(projectPath, include);
  const { isChosen, isExcluded } = choice({ include, exclude });
  const isWithin = within === undefined ? () => true : atOrBelow(within);
  const files: string[] = [];
  const links: string[] = [];
  const unreadable: string[] = [];
  const leftOut: LeftOut[] = [];
  const named = foldersNamedBy(include);
  const mayHoldChosen = leadsTo(named.includes('') ? undefined : named);
  const onLeftOut = (one: LeftOut) => {
    const isFolder = one.path.endsWith('/') && !isExcluded(`${one.path}a.md`);
    if (isFolder ? mayHoldChosen(parentFolder(one.path)) : isChosen(one.path)) leftOut.push(one);
  };
  const skippedFolders = ownFolders(appDir);
  const listed = onFolder === undefined ? onLeftOut : undefined;
  const walk = { ignore, within, named, skippedFolders, onLeftOut: listed };
  for await (const folder of walkFolders(projectPath, walk)) {
    onFolder?.(folder);
    if (!folder.isKnown) unreadable.push(folder.path);
    for (const [place, entry] of folder.entries.entries()) {
      if (place % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await eventLoop();
      // The target of a link is checked when it is read.
      const isFile = entry.isFile() || entry.isSymbolicLink();
      const path = joinPath(folder.path, entry);
      if (!isFile || !isWithin(path)) continue;
      if (isUserId(path)) onLeftOut({ path, ...LIKE_A_USER_NOTE });
      else if (isChosen(path)) (entry.isFile() ? files : links).push(path);
      else if (listed && !isExcluded(path)) unmatched.add(path, entry);
    }
  }
  const paths = [...files.sort(), ...links.sort()];
  if (listed && within === undefined) leftOut.push(...unmatched.leftOut(paths));
  return { paths, unreadable: unreadable.sort(), ...(leftOut.length > 0 && { leftOut }) };
}

/** The event loop gets a turn after this many entries of a folder. */
const ENTRIES_PER_TURN = 5_000;

/** A reader would mistake its chunks for a user note, and could not request them. */
const LIKE_A_USER_NOTE = {
  why: 'its path looks like the id of a user note',
  remedy: 'rename it',
};

/** Builds the matchers. A pattern for `README.md` also matches `README.MD`. */
function choice({ include, exclude }: Pick<MarkdownPatterns, 'include' | 'exclude'>) {
  const inAnyCase = (matches: (path: string) => boolean) => (path: string) =>
    matches(path) || matches(withPlainEnding(path));
  const isIncluded = inAnyCase(globMatcher(include));
  const isExcluded = inAnyCase(globMatcher(exclude));
  const isChosen = (path: string) =>
    isDocumentationFile(path) && isIncluded(path) && !isExcluded(path);
  return { isChosen, isExcluded };
}

/** The files at any depth below a folder of a project, links last; hidden ones are left out. */
export function filesBelow(projectPath: string, folder: string): FileListing {
  const [files, links, unreadable]: [string[], string[], string[]] = [[], [], []];
  const leftOut: LeftOut[] = [];
  const toRead = [folder];
  for (let path = toRead.pop(), read = 0; path !== undefined; path = toRead.pop(), read += 1) {
    const isTooMuch = read >= FOLDERS_BELOW_MAX || isTooDeep(path);
    const reading = isTooMuch ? UNREADABLE : readFolderInside(projectPath, path);
    if (!reading.isKnown) unreadable.push(path);
    leftOut.push(...(leftOutLink(path, reading).leftOut ?? []));
    for (const entry of reading.entries.filter(({ name }) => !name.startsWith('.'))) {
      const group = entry.isDirectory() ? toRead : entry.isSymbolicLink() ? links : files;
      group.push(joinPath(path, entry));
    }
  }
  const isFollowed = (link: string) => !leadsToFolder(projectPath, link);
  leftOut.push(...links.filter((link) => !isFollowed(link)).map(notFollowed));
  const paths = [...files.sort(), ...links.filter(isFollowed).sort()];
  return { paths, unreadable: unreadable.sort(), ...(leftOut.length > 0 && { leftOut }) };
}

/** Limit of document folders in one listing. */
const FOLDERS_BELOW_MAX = 2_000;

/** Lists the paths of a project's files, without those in its application directory. */
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
        if (entry.isFile() || entry.isSymbolicLink()) names.push(joinPath(path, entry));
      }
    }
    return names;
  }
}

/** Limit of file names that are searched per project. */
const FILE_NAMES_MAX = 100_000;
