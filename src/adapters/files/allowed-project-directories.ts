import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { KnowledgeError } from '../../domain/errors.js';
import type { ProjectDirectories } from '../../ports/project-directories.js';
import { isWithin } from './inside-project.js';

/**
 * Project directories on disk, below the allowed roots; without roots every directory is allowed. The
 * canonical path is determined once: the path that is checked is the one that is returned, even if a
 * link changes in between.
 */
export class AllowedProjectDirectories implements ProjectDirectories {
  readonly #roots: readonly string[];

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  async resolve(projectPath: string): Promise<string> {
    if (!isAbsolute(projectPath) || projectPath.includes('\0')) {
      throw new KnowledgeError('invalid_request', 'projectPath must be an absolute path.');
    }
    const path = resolve(projectPath);
    const isLonger = Buffer.byteLength(projectPath) > PATH_MAX_BYTES;
    const real = isLonger ? undefined : realPathOfDirectory(path);
    await this.#checkAllowed('projectPath', real ?? (await realPathOfNearest(path)));
    if (real === resolve(sep)) {
      throw new KnowledgeError(
        'invalid_request',
        'projectPath must not be the root of the file system.',
      );
    }
    return real ?? notFound();
  }

  async resolveFile(projectPath: string, path: string): Promise<string> {
    if (path.includes('\0')) {
      throw new KnowledgeError('invalid_request', 'path must be the path to a file.');
    }
    const real = await realPathOfNearest(resolve(projectPath, path));
    await this.#checkAllowed('path', real);
    return real;
  }

  /** A directory outside the roots is refused with the same error whether or not it exists. */
  async #checkAllowed(name: string, real: string): Promise<void> {
    if (this.#roots.length === 0) return;
    const roots = await Promise.all(this.#roots.map(realPathOfNearest));
    if (roots.some((root) => isWithin(root, real))) return;
    throw new KnowledgeError(
      'path_not_allowed',
      `${name} is outside the allowed directories; change KNOWLEDGE_ROOTS, or the option roots, to allow it.`,
    );
  }
}

/** Linux opens no path longer than this, even if it is longer only because of `/./`. */
const PATH_MAX_BYTES = 4096;

/**
 * Undefined if it is not a directory. Synchronous, because every request needs it and it takes
 * microseconds.
 */
function realPathOfDirectory(path: string): string | undefined {
  try {
    return realpathSync.native(`${path}${sep}.`);
  } catch {
    return undefined;
  }
}

/**
 * The canonical path of the part that exists, followed by the rest unchanged. Resolves from the root down and stops at
 * the first missing name, so that a path of a million characters costs little.
 */
async function realPathOfNearest(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const names = path.split(sep).filter((name) => name !== '');
  let nearest = resolve(sep);
  for (const [index, name] of names.entries()) {
    const next = await realpath(join(nearest, name)).catch(() => undefined);
    if (next === undefined) return resolve(nearest, names.slice(index).join(sep));
    nearest = next;
  }
  return nearest;
}

function notFound(): never {
  throw new KnowledgeError('project_not_found', 'projectPath is not an existing directory.');
}
