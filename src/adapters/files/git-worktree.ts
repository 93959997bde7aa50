import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isWithin } from './inside-project.js';

/**
 * The directory of the main checkout that corresponds to a directory of a linked git worktree, with the same path below
 * the root. Undefined outside linked worktrees, and if the main checkout has no such directory or a link in its place.
 * @param root the root of the worktree, which contains the directory
 */
export function findCounterpart(directory: string, root: string): string | undefined {
  try {
    const main = mainCheckout(root);
    const [from, to] = [realpathSync(root), realpathSync(directory)];
    if (main === undefined || !isWithin(from, to)) return undefined;
    const counterpart = join(main, relative(from, to));
    return realpathSync(counterpart) === counterpart ? counterpart : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The main checkout of a linked git worktree; undefined for any other directory. Git itself is not run, because a
 * project can configure it to run programs. The link counts only if both sides agree: the file `.git` of the worktree,
 * and the file `gitdir` that the main checkout keeps for it.
 * @throws Error if one of these files is missing or no small regular file
 */
function mainCheckout(directory: string): string | undefined {
  const link = join(directory, '.git');
  const [, named] = /^gitdir: (.+)$/m.exec(readSmall(link)) ?? [];
  if (named === undefined) return undefined;
  const record = realpathSync(resolve(directory, named));
  const gitFolder = dirname(dirname(record));
  if (basename(dirname(record)) !== 'worktrees' || basename(gitFolder) !== '.git') return undefined;
  const linkedBack = resolve(record, readSmall(join(record, 'gitdir')).trim());
  return realpathSync(linkedBack) === realpathSync(link) ? dirname(gitFolder) : undefined;
}

/** @throws Error for anything but a small regular file */
function readSmall(path: string): string {
  const stats = lstatSync(path);
  if (!stats.isFile() || stats.size > LINK_MAX_BYTES)
    throw new Error(`${path} is not a git worktree link.`);
  return readFileSync(path, 'utf8');
}

const LINK_MAX_BYTES = 8_192;
