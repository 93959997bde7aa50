import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isWithin } from './inside-project.js';

/** A linked git worktree: its root, and the root of the main checkout to which it is linked. */
export interface LinkedWorktree {
  readonly root: string;
  readonly main: string;
}

/**
 * Reads the link of a worktree; undefined if the directory is not the root of a linked worktree. Git itself is not run,
 * because a project can configure it to run programs. The link counts only if both sides agree: the file `.git` of the
 * worktree, and the file `gitdir` that the main checkout keeps for it.
 */
export function readWorktree(root: string): LinkedWorktree | undefined {
  try {
    const link = join(root, '.git');
    const [, named] = /^gitdir: (.+)$/m.exec(readSmall(link)) ?? [];
    if (named === undefined) return undefined;
    const record = realpathSync(resolve(root, named));
    const gitFolder = dirname(dirname(record));
    if (basename(dirname(record)) !== 'worktrees' || basename(gitFolder) !== '.git')
      return undefined;
    const linkedBack = resolve(record, readSmall(join(record, 'gitdir')).trim());
    const isLinkedBack = realpathSync(linkedBack) === realpathSync(link);
    return isLinkedBack ? { root, main: dirname(gitFolder) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The directory of the main checkout with the same path below its root as a directory of the worktree. Undefined if the
 * main checkout has no such directory or a link in its place, and for a directory outside the worktree.
 */
export function findCounterpart(
  directory: string,
  { root, main }: LinkedWorktree,
): string | undefined {
  try {
    const [from, to] = [realpathSync(root), realpathSync(directory)];
    if (!isWithin(from, to)) return undefined;
    const counterpart = join(main, relative(from, to));
    return realpathSync(counterpart) === counterpart ? counterpart : undefined;
  } catch {
    return undefined;
  }
}

/** @throws Error for anything but a small regular file */
function readSmall(path: string): string {
  const stats = lstatSync(path);
  if (!stats.isFile() || stats.size > LINK_MAX_BYTES)
    throw new Error(`${path} is not a git worktree link.`);
  return readFileSync(path, 'utf8');
}

const LINK_MAX_BYTES = 8_192;
