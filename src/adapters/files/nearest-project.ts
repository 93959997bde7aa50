import { existsSync, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { DATABASE_FILE, PROJECT_KEY_FILE } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import { holdsKnowledge } from './app-directories.js';
import { isWithin } from './inside-project.js';

/**
 * The nearest directory upwards that has an application directory with knowledge in it or is the root of a git project,
 * or else the directory itself. Undefined for the root of the file system, a home directory and its ancestors. A linked
 * git worktree without a database of its own belongs to the project of the main checkout, if that has a store.
 */
export function nearestProject(
  directory: string,
  appDirs: AppDirectories,
  home = homedir(),
): string | undefined {
  const own = ownProject(directory, appDirs, home);
  return own === undefined ? undefined : (sharedProject(own, { appDirs, home }) ?? own);
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
  readonly appDirs: AppDirectories;
  readonly home: string;
}

/**
 * The main checkout whose store a worktree shares, if it has one and the worktree has no database. Notes and settings
 * in the worktree do not count: once committed, they are in every worktree.
 */
function sharedProject(worktree: string, { appDirs, home }: SharingRules): string | undefined {
  if (hasDatabase(worktree, appDirs)) return undefined;
  const main = mainCheckout(worktree);
  return main !== undefined && !isNoProject(main, home) && hasStore(main, appDirs)
    ? main
    : undefined;
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
  for (let path = resolve(directory); !isNoProject(path, home); path = dirname(path)) {
    const shared = sharedProject(path, { appDirs, home });
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

/**
 * The main checkout of a linked git worktree; undefined for any other directory. Git itself is not run, because a
 * project can configure it to run programs. The link counts only if both sides agree: the file `.git` of the worktree,
 * and the file `gitdir` that the main checkout keeps for it.
 */
function mainCheckout(directory: string): string | undefined {
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
