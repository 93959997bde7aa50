import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KnowledgeError, systemErrorCode } from '../../domain/errors.js';
import { isInPlace, RefusedFile, realPathInside } from './inside-project.js';

/**
 * Opens a folder of a project. Creates missing folders, accessible only to the owner.
 * @param folder relative to the project, `.` for the project itself
 * @throws RefusedFile if a link leads out of the project, or is dangling
 */
export function openFolder(projectPath: string, folder: string): OpenFolder {
  const real = realPathInside(projectPath, folder);
  if (real !== undefined) return openChecked(projectPath, real);
  if (folder === '.') {
    throw new KnowledgeError('store_unavailable', 'The project directory is gone.');
  }
  const parent = openFolder(projectPath, dirname(folder));
  try {
    mkdirSync(parent.at(basename(folder)), 0o700);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    parent.close();
  }
  const made = realPathInside(projectPath, folder);
  if (made === undefined) throw new RefusedFile('its folder is a dangling link');
  return openChecked(projectPath, made);
}

/** An open folder, which stays the same even if another process replaces it with a link. */
export class OpenFolder {
  readonly #descriptor: number;
  readonly #real: string;
  readonly #projectPath: string;

  constructor(descriptor: number, real: string, projectPath: string) {
    this.#descriptor = descriptor;
    this.#real = real;
    this.#projectPath = projectPath;
  }

  /**
   * The path of a name in this folder, for one file system call. On Linux, the path goes through the open folder.
   * Elsewhere, it is an ordinary path, returned right after a check that the folder is still the same.
   * @throws RefusedFile if the folder was replaced
   */
  at(name: string): string {
    const opened = join('/proc/self/fd', String(this.#descriptor));
    if (existsSync(opened)) return join(opened, name);
    this.check();
    return join(this.#real, name);
  }

  /** @throws RefusedFile if the folder was replaced by another one, or by a link out of the project */
  check(): void {
    const opened = fstatSync(this.#descriptor, { bigint: true });
    if (isInPlace(this.#projectPath, this.#real, opened)) return;
    throw new RefusedFile('its folder was replaced while it was in use');
  }

  /** Makes renames in the folder survive a power failure, if the file system supports it. */
  flush(): void {
    try {
      fsyncSync(this.#descriptor);
    } catch {
      // Not every file system can flush a folder.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function openChecked(projectPath: string, real: string): OpenFolder {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const folder = new OpenFolder(openSync(real, flags), real, projectPath);
  try {
    folder.check();
    return folder;
  } catch (error) {
    folder.close();
    throw error;
  }
}
