import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The main checkout of a linked git worktree; undefined for any other directory. Git itself is not run, because a project can configure what it
 * runs. The link counts only if both sides agree: the file `.git` of the worktree, and the file `gitdir` that the main checkout keeps of it.
 */
export function mainCheckout(directory: string): string | undefined {
  try {
    const link = join(directory, '.git');
    const [, named] = /^gitdir: (.+)$/m.exec(readSmall(link)) ?? [];
    if (named === undefined) return undefined;
    const record = realpathSync(resolve(directory, named));
    const gitFolder = dirname(dirname(record));
    if (basename(dirname(record)) !== 'worktrees' || basename(gitFolder) !== '.git')
      return undefined;
    const linkedBack = resolve(record, readSmall(join(record, 'gitdir')).trim());
    return realpathSync(linkedBack) === realpathSync(link) ? dirname(gitFolder) : undefined;
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
