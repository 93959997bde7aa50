import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest directory upwards that is the root of a git repository or of a worktree; undefined if there is none. */
export function repositoryRoot(directory: string): string | undefined {
  if (existsSync(join(directory, '.git'))) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : repositoryRoot(parent);
}
