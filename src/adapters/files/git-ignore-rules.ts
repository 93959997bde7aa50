import { dirname, join, relative } from 'node:path';
import { type GitPattern, gitPath, gitPattern } from './git-patterns.js';
import { repositoryRoot } from './git-repository.js';
import { bytesAt, type OpenFile, RefusedFile, readOpened } from './inside-project.js';

/**
 * The rules of the `.gitignore` files from the root of a repository down to one folder. As in git, the nearest file
 * with a matching pattern decides. Patterns beyond the limits below are left out.
 */
export class GitIgnoreRules {
  static readonly none = new GitIgnoreRules([]);

  /** Nearest first. */
  readonly #files: readonly RulesOfFolder[];

  private constructor(files: readonly RulesOfFolder[]) {
    this.#files = files;
  }

  /** The rules of the folders above a project in its repository, without a file that ignores the project itself. */
  static above(projectPath: string): GitIgnoreRules {
    const files = foldersAbove(projectPath).flatMap((folder) => {
      const rules = readRules(folder, GITIGNORE);
      const path = relative(folder, projectPath).replaceAll('\\', '/');
      const isIgnored = rules !== undefined && ignoresProject(rules, path);
      return rules === undefined || isIgnored ? [] : [{ prefix: '', inside: `${path}/`, rules }];
    });
    return new GitIgnoreRules(files);
  }

  /** These rules, extended by the `.gitignore` in a folder below, if it can be read. */
  with(projectPath: string, folder: string): GitIgnoreRules {
    const prefix = folder === '' ? '' : `${folder}/`;
    const rules = readRules(projectPath, prefix + GITIGNORE);
    if (rules === undefined) return this;
    return new GitIgnoreRules([{ prefix, inside: '', rules }, ...this.#files]);
  }

  /** Whether git ignores this path, assuming that it does not ignore the folder of the path. */
  ignores(path: string, kind: 'file' | 'folder'): boolean {
    for (const { prefix, inside, rules } of this.#files) {
      const decides = decidingPattern(rules, inside + path.slice(prefix.length), kind);
      if (decides !== undefined) return !decides.isNegated;
    }
    return false;
  }
}

export const GITIGNORE = '.gitignore';

interface RulesOfFolder {
  /** The folder of the `.gitignore`, relative to the project, with `/` at the end; empty for the project and above. */
  readonly prefix: string;
  /** The path from that folder down to the project, with `/` at the end; empty inside the project. */
  readonly inside: string;
  readonly rules: readonly GitPattern[];
}

/** Paths of all possible `.gitignore` files above a project, relative to it, whether they exist or not. */
export function ignoreFilesAbove(projectPath: string): readonly string[] {
  return foldersAbove(projectPath).map((folder) => relative(projectPath, join(folder, GITIGNORE)));
}

/** The folders above a project, nearest first, up to the root of its repository; none outside a repository. */
function foldersAbove(projectPath: string): readonly string[] {
  const root = repositoryRoot(projectPath);
  const folders: string[] = [];
  for (let folder = projectPath; root !== undefined && folder !== root; ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

function readRules(folder: string, path: string): readonly GitPattern[] | undefined {
  const text = readIgnoreFile(folder, path);
  return text === undefined ? undefined : boundedPatterns(text);
}

/** Returns the last pattern that matches, which decides. */
function decidingPattern(
  rules: readonly GitPattern[],
  path: string,
  kind: 'file' | 'folder',
): GitPattern | undefined {
  const asked = gitPath(path, kind);
  return rules.findLast(({ matches }) => matches(asked));
}

/** Whether the rules of a folder ignore a project below it, or a folder on the way to it. */
function ignoresProject(rules: readonly GitPattern[], path: string): boolean {
  const names = path.split('/');
  return names.some((_, i) => {
    const decides = decidingPattern(rules, names.slice(0, i + 1).join('/'), 'folder');
    return decides !== undefined && !decides.isNegated;
  });
}

function readIgnoreFile(projectPath: string, path: string): string | undefined {
  try {
    const read = (file: OpenFile) => bytesAt(file, 0, GITIGNORE_MAX_BYTES).toString('utf8');
    return readOpened(projectPath, path, read);
  } catch (error) {
    if (error instanceof RefusedFile) return undefined;
    throw error;
  }
}

function boundedPatterns(text: string): readonly GitPattern[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line.length <= GITIGNORE_MAX_CHARACTERS)
    .flatMap((line) => gitPattern(line) ?? [])
    .slice(0, GITIGNORE_MAX_PATTERNS);
}

/** Limits of a `.gitignore`; anything beyond them is ignored. */
const GITIGNORE_MAX_BYTES = 64 * 1024;

const GITIGNORE_MAX_PATTERNS = 2_000;

const GITIGNORE_MAX_CHARACTERS = 500;
