import { CITATIONS_PER_CHUNK } from '../limits.js';
import { parentFolder } from '../paths.js';
import type { LineRange, Mention } from './mentions.js';

export interface CitedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly lines?: LineRange;
}

export interface FileLookup {
  /** Whether a readable file exists. */
  has(path: string): Promise<boolean>;
  named(name: string): Promise<readonly string[]>;
}

interface CitingSource {
  /** The folder of the project, absolute. */
  readonly project: string;
  /** The file that contains the mentions. */
  readonly sourceFile: string;
  /** The application directory, whose files are never cited. */
  readonly appDir: string;
}

/**
 * Resolves mentions to files, in order and without duplicates, at most {@link CITATIONS_PER_CHUNK}. A path with a slash
 * is resolved from the project folder, then from the source's folder; a name without one counts if exactly one file has
 * it. The source never cites itself.
 */
export async function citedFiles(
  mentions: readonly Mention[],
  files: FileLookup,
  source: CitingSource,
): Promise<readonly CitedFile[]> {
  const cited = new Map<string, CitedFile>();
  for (const mention of mentions) {
    const { lines } = mention;
    const path = await findFile(mention, files, source);
    if (path === undefined || path === source.sourceFile) continue;
    cited.set(`${path}:${lines?.from}-${lines?.to}`, { path, ...(lines && { lines }) });
    if (cited.size === CITATIONS_PER_CHUNK) break;
  }
  return [...cited.values()];
}

async function findFile(
  mention: Mention,
  files: FileLookup,
  source: CitingSource,
): Promise<string | undefined> {
  const written = pathInProject(mention, source);
  if (written === undefined) return undefined;
  if (!written.includes('/')) {
    const [only, ...others] = await files.named(written);
    return others.length === 0 ? only : undefined;
  }
  for (const place of possiblePlaces(written, source)) {
    if (await files.has(place)) return place;
  }
  return undefined;
}

/** Makes an absolute path relative to the project; undefined if it leads elsewhere. */
function pathInProject(
  { path, isFromRoot }: Mention,
  { project }: CitingSource,
): string | undefined {
  if (!path.startsWith('/')) return path;
  if (path.startsWith(`${project}/`)) return `./${path.slice(project.length + 1)}`;
  return isFromRoot ? `.${path}` : undefined;
}

/** The possible places of a path with a slash: from the project folder, and from the source's folder. */
export function possiblePlaces(
  written: string,
  { sourceFile, appDir }: CitingSource,
): readonly string[] {
  const places: string[] = [];
  for (const path of [written, `${parentFolder(sourceFile)}/${written}`]) {
    const place = IS_INDIRECT.test(path) ? resolved(path) : path;
    if (place !== undefined && !place.startsWith(`${appDir}/`)) places.push(place);
  }
  return places;
}

/** A path with an empty part, `.` or `..`. */
const IS_INDIRECT = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** Normalizes a path; undefined if it leads out of the project. */
function resolved(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
