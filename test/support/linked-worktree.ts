import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { tempDirectory } from './temp-project.js';

/** Turns a directory into a repository with one commit. Returns the canonical path of a worktree linked to it. */
export function linkedWorktree(main: string): string {
  git(main, 'init', '-q');
  git(main, 'add', '.');
  git(main, 'commit', '-qm', 'First');
  const worktree = join(tempDirectory(), 'linked');
  git(main, 'worktree', 'add', '-q', worktree);
  return realpathSync(worktree);
}

/** Runs git with an author. Throws if git fails. */
export function git(directory: string, ...words: readonly string[]): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  execFileSync('git', [...author, ...words], { cwd: directory, stdio: 'ignore' });
}
