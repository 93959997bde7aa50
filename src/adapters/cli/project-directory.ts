import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { AppDirectories, WorktreeText } from '../../ports/project-directories.js';
import { printableLine } from './text/format.js';

export const PROJECT_HELP = 'the project; default: found from the working directory upwards';

/** The project of a command. */
export interface ProjectDirectory {
  /** Absolute. */
  readonly path: string;
  /** Name of the project's application directory, which may be missing. */
  readonly appDir: string;
  /** Whether the application directory exists. */
  readonly isInitialized: boolean;
  /** Whether the project is the root of a git repository. */
  readonly isGit: boolean;
  /**
   * Returns one sentence about a source whose file differs in the user's linked git worktree, which shares the store of
   * this project. Absent outside such a worktree.
   */
  readonly worktreeText?: WorktreeText;
}

/** Finds projects on this machine. */
export interface ProjectLocator {
  /**
   * The nearest project, from a directory upwards. Undefined for the root of the file system, a home directory and its
   * ancestors.
   */
  nearest(directory: string): string | undefined;
  /** Like `nearest`, but a linked git worktree never shares the store of its main checkout. */
  own(directory: string): string | undefined;
  /** The `worktreeText` of {@link ProjectDirectory} for a directory; undefined outside such a worktree. */
  worktreeText(directory: string): Promise<WorktreeText | undefined>;
  /** Whether a directory has an application directory. */
  isInitialized(directory: string): boolean;
}

interface ProjectSearch {
  /** The working directory, absolute. */
  readonly directory: string;
  readonly appDirs: () => Promise<AppDirectories>;
  readonly projects: () => Promise<ProjectLocator>;
  /** `separate`: a linked git worktree is a project of its own, even if it shares a store. */
  readonly worktrees?: 'shared' | 'separate';
}

/**
 * The directory that `--project` names, or else the nearest project upwards from the working directory.
 * @param option the value of `--project`
 * @throws Error for the root of the file system, a home directory, and a path that is not a directory
 */
export async function findProject(
  search: ProjectSearch,
  option: unknown,
): Promise<ProjectDirectory> {
  const start = resolve(search.directory, String(option ?? '.'));
  const [appDirs, projects] = [await search.appDirs(), await search.projects()];
  const own = projects.own(start);
  const nearest = search.worktrees === 'separate' ? own : projects.nearest(start);
  if (own === undefined || nearest === undefined) throw new Error(refusalFor(start));
  const path = option === undefined ? nearest : start;
  if (!isDirectory(path))
    throw new Error(`--project must name a directory; ${printableLine(path)} is not one.`);
  const isShared = path === nearest && path !== own;
  const worktreeText = isShared ? await projects.worktreeText(start) : undefined;
  return {
    ...(worktreeText && { worktreeText }),
    path,
    appDir: appDirs.of(path),
    isInitialized: projects.isInitialized(path),
    isGit: existsSync(join(path, '.git')),
  };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function refusalFor(path: string): string {
  const what = path === dirname(path) ? 'The root of the file system' : 'A home directory';
  return `${what} cannot be a project; change to the directory of a project, or name one with --project.`;
}
