import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { shownSection } from '../../domain/lessons/lessons-section.js';
import { SESSION_START_MAX_TOKENS, SESSION_START_MIN_RELEVANCE } from '../../domain/limits.js';
import { loadModel } from './model-readiness.js';
import type { Session } from './session.js';
import { printable } from './text/format.js';

/** Prints the lessons for a task (default: that of the working tree), or nothing if none is known to be relevant. */
export async function printKnown(session: Session, task: unknown): Promise<void> {
  const { isInitialized, path } = session.project;
  const title = typeof task === 'string' ? task : gitTask(path);
  if (!isInitialized || title.trim() === '') return;
  await loadModel(session);
  const { section, results } = await session.call('POST /api/knowledge/x/lessons', {
    title,
    maxTokens: SESSION_START_MAX_TOKENS,
    minRelevance: SESSION_START_MIN_RELEVANCE,
    counted: false,
  });
  const isKnownToFit = results.some(
    ({ relevance = 0 }) => relevance >= SESSION_START_MIN_RELEVANCE,
  );
  if (!isKnownToFit) return;
  const shown = shownSection(
    section,
    results.map(({ chunk }) => chunk.sourceType),
  );
  session.terminal.out(`${printable(shown).trimEnd()}\n`);
}

/**
 * Guesses the task of a working tree from the name of its branch and the subject of its last commit, which git keeps in
 * plain files. Git itself is not run, because the configuration of an untrusted project can make it run programs. Empty
 * if neither says anything.
 */
function gitTask(directory: string): string {
  const folder = gitFolder(directory);
  if (folder === undefined) return '';
  return [readBranch(folder), lastSubject(folder)].filter(Boolean).join(' ');
}

/**
 * The `.git` folder of the directory or its nearest ancestor that has one. In worktrees and submodules, `.git` is a
 * file that names the folder.
 */
function gitFolder(directory: string): string | undefined {
  const folder = join(directory, '.git');
  if (readTail(join(folder, 'HEAD')) !== undefined) return folder;
  const [, named] = /^gitdir: (.+)$/m.exec(readTail(folder) ?? '') ?? [];
  if (named !== undefined) return linkedFolder(resolve(directory, named), folder);
  return dirname(directory) === directory ? undefined : gitFolder(dirname(directory));
}

/**
 * Follows a `.git` file only if its folder confirms the link, because the file of a hostile project could name any
 * repository. The folder of a worktree names the file in turn; that of a submodule belongs to the repository around it.
 */
function linkedFolder(folder: string, link: string): string | undefined {
  const named = readTail(join(folder, 'gitdir'))?.trim();
  const isWorktree = named !== undefined && isSameFile(resolve(folder, named), link);
  const [superproject, module] = folder.split(join(sep, '.git', 'modules', sep));
  const isSubmodule = module !== undefined && link.startsWith(`${superproject}${sep}`);
  return isWorktree || isSubmodule ? folder : undefined;
}

function isSameFile(one: string, other: string): boolean {
  return existsSync(one) && realpathSync(one) === realpathSync(other);
}

function readBranch(folder: string): string {
  const [, name = ''] =
    /^ref: refs\/heads\/(.+)$/m.exec(readTail(join(folder, 'HEAD')) ?? '') ?? [];
  return COMMON_BRANCHES.has(name) ? '' : words(name);
}

/** Branches that say nothing about a task. */
const COMMON_BRANCHES = new Set(['main', 'master', 'develop', 'dev', 'trunk']);

/** The subject of the last commit in the reflog of HEAD, which also records other moves such as checkouts. */
function lastSubject(folder: string): string {
  const log = readTail(join(folder, 'logs', 'HEAD')) ?? '';
  const subjects = [...log.matchAll(/\tcommit(?: \(\w+\))?: (.+)$/gm)];
  return subjects.at(-1)?.[1] ?? '';
}

function words(name: string): string {
  return name.replace(/[/_.-]+/g, ' ').trim();
}

/** The end of a regular file; undefined if it is not one or cannot be read. */
function readTail(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(stats.size, READ_MAX_BYTES));
    const length = readSync(file, buffer, 0, buffer.length, stats.size - buffer.length);
    return buffer.toString('utf8', 0, length);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const READ_MAX_BYTES = 16_384;
