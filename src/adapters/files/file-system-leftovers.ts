import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Leftover, Leftovers } from '../../ports/driven/leftovers.js';

/** Finds leftovers by their names; follows no link. */
export class FileSystemLeftovers implements Leftovers {
  readonly #appDirs: AppDirectories;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(appDirs: AppDirectories, clock: Pick<Clock, 'now'>) {
    this.#appDirs = appDirs;
    this.#clock = clock;
  }

  async find(projectPath: string): Promise<readonly Leftover[]> {
    const paths = await this.#filesIn(projectPath, this.#appDirs.of(projectPath), 0);
    const found: Leftover[] = [];
    for (const path of paths.toSorted()) {
      const leftover =
        found.length < FOUND_MAX ? await this.#leftoverAt(projectPath, path) : undefined;
      if (leftover !== undefined) found.push(leftover);
    }
    return found;
  }

  async #leftoverAt(projectPath: string, path: string): Promise<Leftover | undefined> {
    const kind = kindOf(path);
    if (kind === undefined) return undefined;
    const stats = await lstat(join(projectPath, path)).catch(() => undefined);
    if (stats?.isFile() !== true) return undefined;
    const isOld = stats.mtimeMs < this.#clock.now().getTime() - LEFTOVER_AFTER_MS;
    return kind !== 'temporary' || isOld ? { path, bytes: stats.size, kind } : undefined;
  }

  /** Candidates only. A folder that cannot be read has none. */
  async #filesIn(projectPath: string, folder: string, depth: number): Promise<readonly string[]> {
    const entries = await readdir(join(projectPath, folder), { withFileTypes: true }).catch(
      (): readonly Dirent[] => [],
    );
    const paths: string[] = [];
    for (const entry of entries.slice(0, ENTRIES_MAX)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isFile() && kindOf(path) !== undefined) paths.push(path);
      const goesDeeper = entry.isDirectory() && depth < DEPTH_MAX;
      if (goesDeeper) paths.push(...(await this.#filesIn(projectPath, path, depth + 1)));
    }
    return paths;
  }
}

const FOUND_MAX = 1000;
const ENTRIES_MAX = 10_000;
/** The service writes files at most this deep: `memory/.history/<file>`. */
const DEPTH_MAX = 2;

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
