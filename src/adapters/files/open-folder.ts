import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isWithin, RefusedFile, realPathInside } from './inside-project.js';

/**
 * Opens a folder of a project. Creates missing folders with access for the owner only.
 * @param folder relative to the project, `.` for the project itself
 * @throws RefusedFile if a link leads out of the project, or to nothing
 */
export async function openFolder(projectPath: string, folder: string): Promise<OpenFolder> {
  const real = realPathInside(projectPath, folder);
  if (real !== undefined) return openChecked(projectPath, real);
  if (folder === '.') throw new Error('the project directory is gone');
  const parent = await openFolder(projectPath, dirname(folder));
  try {
    await mkdir(await parent.at(basename(folder)), 0o700).catch(ignoreExisting);
  } finally {
    await parent.close();
  }
  const made = realPathInside(projectPath, folder);
  if (made === undefined) throw new RefusedFile('its folder is a link to nothing');
  return openChecked(projectPath, made);
}

/** An open folder, which stays the same even if another process replaces it with a link. */
export class OpenFolder {
  readonly #handle: FileHandle;
  readonly #real: string;
  readonly #projectPath: string;

  constructor(handle: FileHandle, real: string, projectPath: string) {
    this.#handle = handle;
    this.#real = real;
    this.#projectPath = projectPath;
  }

  /**
   * The path of a name in this folder, for one file system call. On Linux it is resolved from the open
   * folder; elsewhere from the root, right after a check that the folder is still the same.
   * @throws RefusedFile if the folder was replaced
   */
  async at(name: string): Promise<string> {
    const opened = join('/proc/self/fd', String(this.#handle.fd));
    if (existsSync(opened)) return join(opened, name);
    await this.check();
    return join(this.#real, name);
  }

  /** @throws RefusedFile if the folder was replaced by another one, or by a link out of the project */
  async check(): Promise<void> {
    const now = await realpath(this.#real);
    const [opened, there] = await Promise.all([this.#handle.stat(), lstat(now)]);
    const isSame = there.ino === opened.ino && there.dev === opened.dev;
    if (!isSame || !isWithin(this.#projectPath, now)) {
      throw new RefusedFile('its folder was replaced while it was in use');
    }
  }

  /** Makes renames in the folder survive a power failure, if the file system supports it. */
  async flush(): Promise<void> {
    await this.#handle.sync().catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function openChecked(projectPath: string, real: string): Promise<OpenFolder> {
  const handle = await open(
    real,
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  const folder = new OpenFolder(handle, real, projectPath);
  try {
    await folder.check();
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
