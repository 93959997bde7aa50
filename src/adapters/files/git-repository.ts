import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the git repository or worktree that contains a directory; undefined if there is none. */
export function repositoryRoot(directory: string): string | undefined {
  if (existsSync(join(directory, '.git'))) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : repositoryRoot(parent);
}
