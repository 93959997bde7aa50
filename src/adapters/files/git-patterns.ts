import { ANY_BYTE, readGitSet, SLASH } from './git-sets.js';

/** A line of a `.gitignore`. */
export interface GitPattern {
  /** Whether a leading `!` includes again what earlier patterns ignore. */
  readonly isNegated: boolean;
  /** Whether the pattern matches a path. Takes time proportional to pattern length × path length at most. */
  readonly matches: (path: GitPath) => boolean;
}

/** A path relative to the folder of a `.gitignore`, and its last name, both in the form of `toBytes`. */
export interface GitPath {
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

export function gitPath(path: string, kind: 'file' | 'folder'): GitPath {
  const bytes = toBytes(path);
  return { path: bytes, name: bytes.slice(bytes.lastIndexOf('/') + 1), kind };
}

/** Parses a line as git does. Undefined for a comment, and for a pattern that can match nothing. */
export function gitPattern(line: string): GitPattern | undefined {
  if (line.startsWith('#')) return undefined;
  const [, sign = '', slash = '', body = '', folder = ''] =
    /^(!?)(\/?)(.*?)(\/?)$/s.exec(toBytes(withoutTrailingSpaces(line))) ?? [];
  const isPath = slash !== '' || body.includes('/');
  const parts = readParts(body, isPath);
  if (body === '' || parts === undefined) return undefined;
  const literal = parts.every((part) => typeof part === 'number')
    ? String.fromCharCode(...parts)
    : undefined;
  return {
    isNegated: sign === '!',
    matches: ({ path, name, kind }) => {
      if (folder !== '' && kind === 'file') return false;
      const bytes = isPath ? path : name;
      return literal === undefined ? matchesParts(parts, bytes) : literal === bytes;
    },
  };
}

/** Turns each byte of the UTF-8 text into one character, because git matches bytes: `?` stands for one byte. */
function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Removes trailing spaces. One that follows a backslash is escaped and stays. */
function withoutTrailingSpaces(line: string): string {
  const end = line.replace(/(?<! ) +$/, '');
  const [backslashes = ''] = /(?<!\\)\\*$/.exec(end) ?? [];
  return end.length < line.length && backslashes.length % 2 === 1 ? `${end} ` : end;
}

/**
 * A byte, a set of bytes, or a run of stars. `name` matches any bytes except `/`, `path` any bytes, and `folders` any
 * number of folders, each with its slash.
 */
type Part = number | ReadonlySet<number> | 'name' | 'path' | 'folders';

/** Undefined if the pattern ends in a backslash, or has an invalid set, and so matches nothing. */
function readParts(pattern: string, isPath: boolean): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; ) {
    const read = readPart(pattern, at, isPath);
    if (read === undefined) return undefined;
    parts.push(read.part);
    at = read.next;
  }
  return parts;
}

/** A part of a pattern, and where the next one begins. */
interface ReadPart {
  readonly part: Part;
  readonly next: number;
}

function readPart(pattern: string, at: number, isPath: boolean): ReadPart | undefined {
  const sign = pattern.charAt(at);
  if (sign === '*') return readStars(pattern, at, isPath);
  if (sign === '?') return { part: ANY_BYTE, next: at + 1 };
  if (sign === '[') {
    const set = readGitSet(pattern, at + 1);
    return set && { part: set.members, next: set.next };
  }
  if (sign !== '\\') return { part: pattern.charCodeAt(at), next: at + 1 };
  return at + 1 === pattern.length ? undefined : { part: pattern.charCodeAt(at + 1), next: at + 2 };
}

/**
 * Reads a run of stars. Two or more cross folders only if a slash or the end follows, and a slash or text without
 * wildcards precedes them.
 */
function readStars(pattern: string, at: number, isPath: boolean): ReadPart {
  const [{ length } = ''] = /^\*+/.exec(pattern.slice(at)) ?? [];
  const next = at + length;
  const isBegin = pattern.charAt(at - 1) === '/' || !/[*?[\\]/.test(pattern.slice(0, at));
  const [end] = /^(?:\\?\/|$)/.exec(pattern.slice(next)) ?? [];
  if (!isPath || length < 2 || !isBegin || end === undefined) return { part: 'name', next };
  return end === '/' ? { part: 'folders', next: next + 1 } : { part: 'path', next };
}

/** Follows all ways to match in parallel, so that the time stays bounded for any pattern. */
function matchesParts(parts: readonly Part[], bytes: string): boolean {
  let reached = withSkipped(parts, [], 0);
  for (let at = 0; at < bytes.length && reached.length > 0; at += 1) {
    reached = nextReached(parts, reached, bytes.charCodeAt(at));
  }
  return reached.at(-1) === parts.length;
}

/** Returns the positions in a pattern that are reached from `reached` by one byte, in ascending order. */
function nextReached(parts: readonly Part[], reached: readonly number[], byte: number): number[] {
  let next: number[] = [];
  for (const place of reached) {
    const part = parts[place];
    if (part === undefined) continue;
    const stays = part === 'name' ? byte !== SLASH : part === 'path' || part === 'folders';
    if (stays && (next.at(-1) ?? -1) < place) next.push(place);
    const passes =
      part === 'path' || part === 'name' ? stays : part === 'folders' && byte === SLASH;
    if (passes || part === byte || (typeof part === 'object' && part.has(byte)))
      next = withSkipped(parts, next, place + 1);
  }
  return next;
}

/** Adds a position and, because stars may match nothing, the positions after the stars there. */
function withSkipped(parts: readonly Part[], places: number[], place: number): number[] {
  for (let at = place; ; at += 1) {
    if ((places.at(-1) ?? -1) < at) places.push(at);
    if (typeof parts[at] !== 'string') return places;
  }
}
