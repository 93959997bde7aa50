import { dirname, join, relative } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { repositoryRoot } from './git-repository.js';
import { bytesAt, type OpenFile, RefusedFile, readOpened } from './inside-project.js';
import { withoutNegatedSets } from './negated-sets.js';

/**
 * The `.gitignore` files from the root of a repository down to one folder, as git reads them: the nearest file with a
 * pattern that matches decides. Patterns beyond the bounds are left out.
 */
export class GitIgnoreRules {
  static readonly none = new GitIgnoreRules([]);

  /** Nearest first. */
  readonly #files: readonly RulesOfFolder[];

  private constructor(files: readonly RulesOfFolder[]) {
    this.#files = files;
  }

  /** The rules above a project, up to the root of its repository; none that ignore the project itself. */
  static above(projectPath: string): GitIgnoreRules {
    const files = foldersAbove(projectPath).flatMap((folder) => {
      const rules = readRules(folder, GITIGNORE);
      const inside = `${relative(folder, projectPath).replaceAll('\\', '/')}/`;
      return rules === undefined || rules.ignores(inside) ? [] : [{ prefix: '', inside, rules }];
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

  /** Whether git ignores this path. Assumes that it does not ignore the folder of the path. */
  ignores(path: string, kind: 'file' | 'folder'): boolean {
    for (const { prefix, inside, rules } of this.#files) {
      const tested = inside + path.slice(prefix.length);
      const { ignored, unignored } = rules.test(kind === 'folder' ? `${tested}/` : tested);
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}

export const GITIGNORE = '.gitignore';

interface RulesOfFolder {
  /** The folder of the file with `/` at the end; empty for the project. */
  readonly prefix: string;
  /** The path from that folder to the project with `/` at the end; empty for folders of the project. */
  readonly inside: string;
  readonly rules: Ignore;
}

/** The paths that the `.gitignore` files above a project have, or would have, relative to it. */
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

function readRules(folder: string, path: string): Ignore | undefined {
  const text = readIgnoreFile(folder, path);
  return text === undefined ? undefined : ignore({ ignorecase: false }).add(boundedPatterns(text));
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

/** The package turns each pattern into a regular expression, which takes too long with many stars in one name. */
function boundedPatterns(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .filter((line) => line.length <= GITIGNORE_MAX_CHARACTERS && hasFewStars(line))
    .flatMap((line) => withoutNegatedSets(line) ?? [])
    .slice(0, GITIGNORE_MAX_PATTERNS);
}

function hasFewStars(line: string): boolean {
  const stars = line.split('/').map((segment) => segment.match(/\*+/g) ?? []);
  const ambiguous = stars.filter((found) => found.length > 1 || (found[0]?.length ?? 0) > 1);
  return (
    ambiguous.length <= GITIGNORE_MAX_STARS &&
    stars.every((found) => found.length <= GITIGNORE_MAX_STARS_OF_NAME)
  );
}

/** Limits of a `.gitignore`; anything beyond them is ignored. */
const GITIGNORE_MAX_BYTES = 64 * 1024;

const GITIGNORE_MAX_PATTERNS = 500;

const GITIGNORE_MAX_CHARACTERS = 200;

/** The most `**` in a pattern, and the most stars in one name: their matches multiply, so more would take too long. */
const GITIGNORE_MAX_STARS = 2;
const GITIGNORE_MAX_STARS_OF_NAME = 3;
