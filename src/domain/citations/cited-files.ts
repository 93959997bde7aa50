import { CITATIONS_PER_CHUNK } from '../limits.js';
import type { LineRange, Mention } from './mentions.js';

/** A file of the project that a chunk cites. */
export interface CitedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly lines?: LineRange;
}

/** The files of a project, by their paths in it. */
export interface KnownFiles {
  has(path: string): boolean;
  /** The paths of all files with this name. */
  named(name: string): readonly string[];
}

export interface CitingSource {
  /** The file that the mentions stand in. */
  readonly sourceFile: string;
  /** The application directory, whose own files are not cited. */
  readonly appDir: string;
}

/**
 * The files that mentions stand for, in the same order, each once, at most {@link CITATIONS_PER_CHUNK}. A path with a
 * slash is looked for from the project's folder, then from the folder of the source; a name without one counts if
 * exactly one file has it. The source does not cite itself.
 */
export function citedFiles(
  mentions: readonly Mention[],
  files: KnownFiles,
  source: CitingSource,
): readonly CitedFile[] {
  const cited = new Map<string, CitedFile>();
  for (const { path: written, lines } of mentions) {
    const path = fileOf(written, files, source);
    if (path === undefined || path === source.sourceFile) continue;
    cited.set(`${path}:${lines?.from}-${lines?.to}`, { path, ...(lines && { lines }) });
    if (cited.size === CITATIONS_PER_CHUNK) break;
  }
  return [...cited.values()];
}

/** Where a path with a slash may be: from the project's folder, and from the folder of the source. */
export function placesOf(written: string, { sourceFile, appDir }: CitingSource): readonly string[] {
  const folder = sourceFile.split('/').slice(0, -1);
  const places = [resolved([], written), resolved(folder, written)];
  const inProject = places.filter((place) => place !== undefined);
  return [...new Set(inProject)].filter((place) => !place.startsWith(`${appDir}/`));
}

function fileOf(written: string, files: KnownFiles, source: CitingSource): string | undefined {
  if (!written.includes('/')) {
    const [only, ...others] = files.named(written);
    return others.length === 0 ? only : undefined;
  }
  return placesOf(written, source).find((place) => files.has(place));
}

/** A path from a folder of the project; undefined if it leads out of it. */
function resolved(folder: readonly string[], path: string): string | undefined {
  const parts = [...folder];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
