import { parentFolder } from '../paths.js';
import type { Mention } from './mentions.js';

export interface CitingSource {
  /** The folder of the project, absolute. */
  readonly project: string;
  /** The file that contains the mentions. */
  readonly sourceFile: string;
  /** The application directory, whose files are never cited. */
  readonly appDir: string;
}

/** Makes an absolute path relative to the project; undefined if it leads elsewhere. */
export function pathInProject(
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
    const place = IS_INDIRECT.test(path) ? normalizePath(path) : path;
    if (place !== undefined && !place.startsWith(`${appDir}/`)) places.push(place);
  }
  return places;
}

/** A path with an empty part, `.` or `..`. */
const IS_INDIRECT = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** Normalizes a path; undefined if it leads out of the project. */
function normalizePath(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
