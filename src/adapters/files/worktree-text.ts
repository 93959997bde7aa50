import { SOURCE_FILE_MAX_BYTES } from '../../domain/limits.js';
import type { AppDirectories, WorktreeText } from '../../ports/project-directories.js';
import { bytesAt, type OpenFile, RefusedFile, readOpened } from './inside-project.js';
import { locateProject } from './nearest-project.js';

/**
 * Returns a function that says how a source differs in the linked git worktree of a directory. Undefined unless that
 * worktree shares the store of its main checkout. Files in the application directory exist only once and never differ.
 */
export function worktreeText(
  directory: string,
  appDirs: AppDirectories,
  home?: string,
): WorktreeText | undefined {
  const { project: main, worktree } = locateProject(directory, appDirs, home) ?? {};
  if (main === undefined || worktree === undefined) return undefined;
  const shared = `${appDirs.of(main)}/`;
  return (sourceFile) =>
    sourceFile.startsWith(shared) ? undefined : findDifference({ main, worktree }, sourceFile);
}

interface Checkouts {
  readonly main: string;
  readonly worktree: string;
}

function findDifference({ main, worktree }: Checkouts, sourceFile: string): string | undefined {
  const shown = readContent(main, sourceFile);
  if (shown === undefined) return undefined;
  const seen = readContent(worktree, sourceFile);
  if (seen === undefined) return `${SHOWN}; this worktree has no such file.`;
  return shown.equals(seen) ? undefined : `${SHOWN}; the file differs in this worktree.`;
}

const SHOWN = 'This is the text of the main checkout';

/** Undefined if it is not a file of the checkout or cannot be read. */
function readContent(checkout: string, sourceFile: string): Buffer | undefined {
  try {
    return readOpened(checkout, sourceFile, indexedPart);
  } catch (error) {
    if (error instanceof RefusedFile) return undefined;
    throw error;
  }
}

/** The part of a file that can be indexed. */
function indexedPart(file: OpenFile): Buffer {
  return bytesAt(file, 0, Math.min(Number(file.stats.size), SOURCE_FILE_MAX_BYTES));
}
