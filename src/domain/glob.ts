import { GLOB_MAX_ALTERNATIVES, GLOB_MAX_CHARACTERS } from './limits.js';

/** The patterns that {@link globProblem} accepts, for error messages. */
export const GLOB_SYNTAX = `names, *, ?, ** and lists in braces such as {docs,notes}, of at most ${GLOB_MAX_CHARACTERS} characters, relative to the project`;

/**
 * Why a text is not a valid glob pattern; undefined if it is valid. A pattern consists of names, `*` and `?` (which do
 * not match `/`), `**` as a whole segment for any number of folders, and unnested lists in braces. Character classes,
 * groups in parentheses, negation and escapes are refused, because matching them can take exponential time.
 */
export function globProblem(pattern: string): string | undefined {
  if (pattern === '') return 'is empty';
  if (pattern.length > GLOB_MAX_CHARACTERS)
    return `is longer than ${GLOB_MAX_CHARACTERS} characters`;
  if (/[()[\]\\]|^!/.test(pattern)) return 'has brackets, parentheses, a backslash or a leading !';
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined)
    return `has braces that are nested, not closed, without a comma, or with more than ${GLOB_MAX_ALTERNATIVES} combinations`;
  const leadsOut = (path: string): boolean =>
    path.startsWith('/') || path.split('/').includes('..');
  return alternatives.some(leadsOut) ? 'is absolute or has a .. segment' : undefined;
}

/** Whether a text is a valid pattern, or the path of a file or folder with brackets or parentheses in its name. */
export function isGlobOrPath(text: string): boolean {
  const isPath = !/[*?{}]/.test(text);
  return globProblem(isPath ? text.replace(/[()[\]]/g, '-') : text) === undefined;
}

/**
 * Returns a function that tells whether a relative path matches one of the patterns. A pattern that {@link globProblem}
 * refuses matches nothing. A wildcard does not match the dot at the start of a hidden name. Takes time proportional to
 * pattern length × path length at most.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.flatMap(globAlternatives);
  return (path) => {
    const names = path.split('/').map((name) => [...name]);
    return globs.some((glob) => matchesPath(glob, names));
  };
}

/**
 * Expands a pattern into patterns without braces, as segments between slashes; none for a pattern that {@link
 * globProblem} refuses. A final `**` is followed by a segment `*`.
 */
export function globAlternatives(pattern: string): readonly (readonly Characters[])[] {
  return (expandBraces(pattern) ?? []).map(splitPattern);
}

/** The characters of a segment or of a name; empty for `**`. */
export type Characters = readonly string[];

const ANY_FOLDERS: Characters = [];

/** A final `**` or slash matches everything below a folder, but not the folder itself. */
function splitPattern(pattern: string): readonly Characters[] {
  const segments = pattern
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/$/, '/**')
    .split('/')
    .map((segment) => (/^\*{2,}$/.test(segment) ? ANY_FOLDERS : [...segment]));
  return segments.at(-1) === ANY_FOLDERS ? [...segments, ['*']] : segments;
}

/** Undefined if the braces are not simple lists, or have too many combinations. */
function expandBraces(pattern: string): readonly string[] | undefined {
  let expanded = [''];
  for (const [part, list] of splitParts(pattern)) {
    const choices = list?.split(',') ?? [part];
    const isMalformed = list === undefined ? /[{}]/.test(part) : choices.length < 2;
    if (isMalformed || expanded.length * choices.length > GLOB_MAX_ALTERNATIVES) return undefined;
    expanded = expanded.flatMap((start) => choices.map((choice) => start + choice));
  }
  return expanded;
}

/** Splits a pattern into lists in braces, with their contents, and the text between them. */
function splitParts(pattern: string): readonly (readonly [string, string | undefined])[] {
  return [...pattern.matchAll(/\{([^{}]*)\}|[^{]+|\{/g)].map(([part, list]) => [part, list]);
}

function matchesPath(glob: readonly Characters[], names: readonly Characters[]): boolean {
  return matchesSequence(glob, names, {
    isStar: (segment) => segment === ANY_FOLDERS,
    starTakes: ([first]) => first !== '.',
    matches: matchesName,
  });
}

function matchesName(segment: Characters, name: Characters): boolean {
  return (name[0] !== '.' || segment[0] === '.') && matchesSequence(segment, name, CHARACTERS);
}

interface Rules<T> {
  /** Whether a pattern element matches any number of items. */
  readonly isStar: (element: T) => boolean;
  /** Whether such an element may match this item. */
  readonly starTakes: (item: T) => boolean;
  /** Whether any other element matches this item. */
  readonly matches: (element: T, item: T) => boolean;
}

const CHARACTERS: Rules<string> = {
  isStar: (element) => element === '*',
  starTakes: () => true,
  matches: (element, item) => element === '?' || element === item,
};

/** Backtracks only to the last star, because everything before it was matched as early as possible. */
function matchesSequence<T>(pattern: readonly T[], items: readonly T[], rules: Rules<T>): boolean {
  let at = 0;
  let item = 0;
  let star: { readonly after: number; readonly next: number } | undefined;
  for (let current = items[0]; current !== undefined; current = items[item]) {
    const element = pattern[at];
    if (element !== undefined && rules.isStar(element)) {
      at += 1;
      star = { after: at, next: item };
    } else if (element !== undefined && rules.matches(element, current)) {
      at += 1;
      item += 1;
    } else {
      const next = star && items[star.next];
      if (star === undefined || next === undefined || !rules.starTakes(next)) return false;
      star = { after: star.after, next: star.next + 1 };
      at = star.after;
      item = star.next;
    }
  }
  return pattern.slice(at).every(rules.isStar);
}
