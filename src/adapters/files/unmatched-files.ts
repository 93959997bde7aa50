import { type Dirent, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  documentationEnding,
  isDocumentationFolder,
  unmatchedReason,
  withPlainEnding,
} from '../../domain/documentation.js';
import { globMatcher } from '../../domain/glob.js';
import { DEFAULT_SETTINGS } from '../../domain/settings.js';
import type { LeftOut } from '../../ports/project-files.js';

/** Collects files that look like documentation but match no pattern, links to folders, and patterns without a match. */
export class UnmatchedFiles {
  readonly #projectPath: string;
  readonly #include: readonly string[];
  readonly #missed: LeftOut[] = [];

  constructor(projectPath: string, include: readonly string[]) {
    this.#projectPath = projectPath;
    this.#include = include;
  }

  /** Adds a file or a link that no pattern chose. */
  add(path: string, entry: Dirent): void {
    if (this.#missed.length >= UNMATCHED_MAX) return;
    const ending = documentationEnding(path);
    if (entry.isSymbolicLink() && leadsToFolder(this.#projectPath, path)) {
      if (isDocumentationFolder(entry.name)) this.#missed.push(notFollowed(path));
    } else if (ending !== undefined && !entry.name.startsWith('.')) {
      const remedy = `add "**/*${ending}" to includePatterns`;
      this.#missed.push({ path, why: `no pattern matches this ${ending} file`, remedy });
    }
  }

  /** @param chosen the files that the patterns chose */
  leftOut(chosen: readonly string[]): readonly LeftOut[] {
    const seen = [...chosen, ...this.#missed.map(({ path }) => path)];
    const unmatched = this.#include.filter((pattern) => {
      const matches = globMatcher([pattern]);
      const isUsed = chosen.some((path) => matches(path) || matches(withPlainEnding(path)));
      return !isUsed && !DEFAULT_SETTINGS.includePatterns.includes(pattern);
    });
    return [
      ...unmatched.map((pattern) => ({
        path: pattern,
        why: unmatchedReason(pattern, seen),
        remedy: '',
      })),
      ...this.#missed,
    ];
  }
}

/** Reports a link to a folder. */
export function notFollowed(link: string): LeftOut {
  return { path: `${link}/`, why: 'links to folders are not followed', remedy: '' };
}

export function leadsToFolder(projectPath: string, link: string): boolean {
  try {
    return statSync(join(projectPath, link)).isDirectory();
  } catch {
    return false;
  }
}

/** Limit of reported files; further ones are ignored. */
const UNMATCHED_MAX = 10_000;
