import { CITATIONS_PER_CHUNK } from '../limits.js';
import { parentFolder } from '../paths.js';
import type { LineRange, Mention } from './mentions.js';

export interface CitedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly lines?: LineRange;
}

export interface FileLookup {
  /** Whether there is a file that may be read. */
  has(path: string): Promise<boolean>;
  named(name: string): Promise<readonly string[]>;
}

interface CitingSource {
  /** The folder of the project, absolute. */
  readonly project: string;
  /** The file that the mentions stand in. */
  readonly sourceFile: string;
  /** The application directory, whose own files are not cited. */
  readonly appDir: string;
}

/**
 * The files that mentions name, in the same order, each once, at most {@link CITATIONS_PER_CHUNK}. A path with a
 * slash is looked for from the project's folder, then from the folder of the source; a name without one counts if
 * exactly one file has it. The source does not cite itself.
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

/** An absolute path as one from the project's folder; undefined if it leads elsewhere. */
function pathInProject(
  { path, isFromRoot }: Mention,
  { project }: CitingSource,
): string | undefined {
  if (!path.startsWith('/')) return path;
  if (path.startsWith(`${project}/`)) return `./${path.slice(project.length + 1)}`;
  return isFromRoot ? `.${path}` : undefined;
}

/** Where a path with a slash may be: from the project's folder, and from the folder of the source. */
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

/** With an empty part, or one of dots. */
const IS_INDIRECT = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** A path in the project; undefined if it leads out of it. */
function resolved(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
