import { type CitedPlace, placeKey } from '../../domain/citations/cited-place.js';
import type { Mention } from '../../domain/citations/mentions.js';
import {
  type CitingSource,
  pathInProject,
  possiblePlaces,
} from '../../domain/citations/possible-places.js';
import { CITATIONS_PER_CHUNK } from '../../domain/limits.js';

/** Looks up files of a project. */
export interface FileLookup {
  /** Whether there is a readable file at this path. */
  has(path: string): Promise<boolean>;
  named(name: string): Promise<readonly string[]>;
}

/**
 * Resolves mentions to files, in order and without duplicates, at most {@link CITATIONS_PER_CHUNK}. A path with a slash
 * is tried relative to the project folder, then to the source's folder. A bare file name counts only if exactly one
 * file has it. The source never cites itself. The resulting paths are relative to the project, with `/`.
 */
export async function citedFiles(
  mentions: readonly Mention[],
  files: FileLookup,
  source: CitingSource,
): Promise<readonly CitedPlace[]> {
  const cited = new Map<string, CitedPlace>();
  for (const mention of mentions) {
    const { lines } = mention;
    const path = await findFile(mention, files, source);
    if (path === undefined || path === source.sourceFile) continue;
    const place = { path, ...(lines && { lines }) };
    cited.set(placeKey(place), place);
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
  for (const path of [...new Set([written, written.normalize('NFC'), written.normalize('NFD')])]) {
    const found = await findPath(path, files, source);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function findPath(
  path: string,
  files: FileLookup,
  source: CitingSource,
): Promise<string | undefined> {
  if (!path.includes('/')) {
    const [only, ...others] = await files.named(path);
    return others.length === 0 ? only : undefined;
  }
  for (const place of possiblePlaces(path, source)) {
    if (await files.has(place)) return place;
  }
  return undefined;
}
