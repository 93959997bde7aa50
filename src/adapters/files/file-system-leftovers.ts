import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, historyFolder, ownFolders } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Leftover, Leftovers } from '../../ports/driven/leftovers.js';
import { pathIn, readFolderInside } from './folder-walk.js';

/** Finds leftovers by their names, in the folders into which the service writes. */
export class FileSystemLeftovers implements Leftovers {
  readonly #appDirs: AppDirectories;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(appDirs: AppDirectories, clock: Pick<Clock, 'now'>) {
    this.#appDirs = appDirs;
    this.#clock = clock;
  }

  async find(projectPath: string): Promise<readonly Leftover[]> {
    const appDir = this.#appDirs.of(projectPath);
    const folders = [appDir, ...ownFolders(appDir), historyFolder(appDir)];
    const paths = folders.flatMap((folder) => {
      const { entries } = readFolderInside(projectPath, folder);
      return entries.filter((entry) => entry.isFile()).map((entry) => pathIn(folder, entry));
    });
    const found = paths.toSorted().flatMap((path) => this.#leftoverAt(projectPath, path) ?? []);
    return found.slice(0, FOUND_MAX);
  }

  #leftoverAt(projectPath: string, path: string): Leftover | undefined {
    const kind = kindOf(path);
    if (kind === undefined) return undefined;
    const stats = lstatSync(join(projectPath, path), { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return undefined;
    const isOld = stats.mtimeMs < this.#clock.now().getTime() - LEFTOVER_AFTER_MS;
    return kind !== 'temporary' || isOld ? { path, bytes: stats.size, kind } : undefined;
  }
}

const FOUND_MAX = 1000;

/** As `write-inside.ts` names its temporary files. */
const TEMPORARY = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

function kindOf(path: string): Leftover['kind'] | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (TEMPORARY.test(name)) return 'temporary';
  if (name.startsWith(`${DATABASE_FILE}.replaced-`)) return 'replaced';
  if (/-(wal|shm|journal)$/.test(name)) return undefined;
  return name.startsWith(`${DATABASE_FILE}.corrupt-`) ? 'damaged' : undefined;
}

/** A temporary file that is older than this belongs to no write that is under way. */
const LEFTOVER_AFTER_MS = 60 * 60 * 1000;
