import { existsSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { DATABASE_FILE, PROJECT_KEY_FILE } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import { holdsKnowledge } from './app-directories.js';
import { findCounterpart, type LinkedWorktree, readWorktree } from './git-worktree.js';
import { isWithin } from './inside-project.js';

/** The project of a directory, and the directory of a linked git worktree that shares it, if there is one. */
interface LocatedProject {
  readonly project: string;
  readonly worktree?: string;
}

/**
 * The nearest directory upwards that has an application directory with knowledge in it or is the root of a git project,
 * or else the directory itself. Undefined for the root of the file system, a home directory and its ancestors. In a
 * linked git worktree, a directory without a database of its own belongs to the project of the same directory of the
 * main checkout, if that has a store.
 */
export function nearestProject(
  directory: string,
  appDirs: AppDirectories,
  home = homedir(),
): string | undefined {
  return locateProject(directory, appDirs, home)?.project;
}

/** Like `nearestProject`, and says whether a linked git worktree shares the project. */
export function locateProject(
  directory: string,
  appDirs: AppDirectories,
  home = homedir(),
): LocatedProject | undefined {
  const own = ownProject(directory, appDirs, home);
  if (own === undefined) return undefined;
  const worktree = worktreeAbove(directory, home);
  for (let path = resolve(directory); ; path = dirname(path)) {
    const shared = sharedProject(path, { worktree, appDirs, home });
    const isProject = shared !== undefined && (path === own || hasKnowledge(shared, appDirs));
    if (isProject) return { project: shared, worktree: path };
    if (path === own) return { project: own };
  }
}

/** Like `nearestProject`, but a linked git worktree is a project of its own. */
export function ownProject(
  directory: string,
  appDirs: AppDirectories,
  home = homedir(),
): string | undefined {
  const start = resolve(directory);
  if (isNoProject(start, home)) return undefined;
  for (let path = start; !isNoProject(path, home); path = dirname(path)) {
    if (hasKnowledge(path, appDirs) || isTrustedRepository(path, start)) return path;
  }
  return start;
}

/**
 * Whether `directory` is the root of a git project to which `start`, a directory at or below it, belongs. A repository
 * above `start` must be owned by this user, the superuser or the owner of `start`: in /tmp, anybody could create one,
 * and so inject text into the searches of everybody who works below it.
 */
function isTrustedRepository(directory: string, start: string): boolean {
  const owner = readOwner(join(directory, '.git'));
  if (owner === undefined) return false;
  const trusted = [process.getuid?.() ?? owner, SUPERUSER, readOwner(start)];
  return directory === start || trusted.includes(owner);
}

const SUPERUSER = 0;

/** Undefined if nothing exists. Links are not followed. */
function readOwner(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}

/** Why a directory is a project: it has a store or knowledge, it is a git repository, or neither yet. */
export function projectKind(
  directory: string,
  appDirs: AppDirectories,
): 'store' | 'repository' | 'folder' {
  if (hasStore(directory, appDirs)) return 'store';
  return existsSync(join(directory, '.git')) ? 'repository' : 'folder';
}

interface SharingRules {
  /** The linked worktree that contains the directory; undefined if there is none. */
  readonly worktree: LinkedWorktree | undefined;
  readonly appDirs: AppDirectories;
  readonly home: string;
}

/**
 * The directory of the main checkout whose store a directory of a worktree shares, if there is one and the worktree has
 * no database there. Notes and settings in the worktree do not count: once committed, they are in every worktree.
 */
function sharedProject(
  directory: string,
  { worktree, appDirs, home }: SharingRules,
): string | undefined {
  if (worktree === undefined || hasDatabase(directory, appDirs)) return undefined;
  const main = findCounterpart(directory, worktree);
  return main !== undefined && !isNoProject(main, home) && hasStore(main, appDirs)
    ? main
    : undefined;
}

function worktreeAbove(directory: string, home: string): LinkedWorktree | undefined {
  const start = resolve(directory);
  for (let path = start; !isNoProject(path, home); path = dirname(path)) {
    if (isTrustedRepository(path, start)) return readWorktree(path);
  }
  return undefined;
}

function hasStore(directory: string, appDirs: AppDirectories): boolean {
  return hasKnowledge(directory, appDirs) || hasDatabase(directory, appDirs);
}

function hasDatabase(directory: string, appDirs: AppDirectories): boolean {
  const folder = join(directory, appDirs.of(directory));
  return [DATABASE_FILE, PROJECT_KEY_FILE].some((name) => {
    const stats = visible(join(folder, name));
    return stats?.isFile() === true && isOwn(stats.uid);
  });
}

/**
 * The canonical path of the nearest directory upwards that has a store, with or without git; undefined if there is
 * none. A linked worktree without a database uses the store of its main checkout.
 */
export function nearestStore(
  directory: string,
  appDirs: AppDirectories,
  home = homedir(),
): string | undefined {
  if (!isAbsolute(directory)) return undefined;
  const worktree = worktreeAbove(directory, home);
  for (let path = resolve(directory); !isNoProject(path, home); path = dirname(path)) {
    const shared = sharedProject(path, { worktree, appDirs, home });
    if (shared !== undefined) return resolveRealPath(shared);
    if (hasStore(path, appDirs)) return resolveRealPath(path);
  }
  return undefined;
}

/** Whether a directory has an application directory. */
export function isInitialized(directory: string, appDirs: AppDirectories): boolean {
  return existsSync(join(directory, appDirs.of(directory)));
}

function hasKnowledge(directory: string, appDirs: AppDirectories): boolean {
  const folder = join(directory, appDirs.of(directory));
  const stats = visible(folder);
  return stats?.isDirectory() === true && isOwn(stats.uid) && holdsKnowledge(folder);
}

/** Undefined if nothing exists, or if this user has no access. */
function visible(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Whether this user owns a file. Another user's folder could lead anywhere. The superuser trusts every owner, and on
 * Windows files have no such owner.
 */
function isOwn(uid: number): boolean {
  const user = process.getuid?.();
  return user === undefined || user === 0 || uid === user;
}

/** Whether a directory is the root of the file system, a home directory, or an ancestor of one. */
export function isNoProject(directory: string, home = homedir()): boolean {
  const path = resolveRealPath(directory);
  return path === dirname(path) || isWithin(path, resolveRealPath(home));
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
