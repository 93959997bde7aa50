import { type Characters, globAlternatives, globMatcher } from './glob.js';

/** Extensions of documentation files, in any letter case. */
const DOCUMENTATION_ENDINGS = [
  '.md',
  '.mdx',
  '.mdc',
  '.markdown',
  '.txt',
  '.rst',
  '.adoc',
] as const;

export function isDocumentationFile(name: string): boolean {
  const lowerCase = name.toLowerCase();
  return DOCUMENTATION_ENDINGS.some((ending) => lowerCase.endsWith(ending));
}

/** Hidden folders, such as version control and the application directory, contain no documentation. */
export function isDocumentationFolder(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}

/**
 * The folders that patterns name literally, such as `.serena/memories` in `.serena/memories/*.md`; empty for a pattern
 * that begins with a wildcard or a file.
 */
export function foldersNamedBy(patterns: readonly string[]): readonly string[] {
  return patterns
    .flatMap((pattern) => globAlternatives(pattern))
    .map((segments) => namedFolders(segments).join('/'));
}

/**
 * Whether a folder is hidden, a build folder, third-party code, or below such a folder, and so searched only if a
 * pattern names it.
 */
export function isSkippedUnnamed(folder: string): boolean {
  return folder
    .split('/')
    .some((name) => !isDocumentationFolder(name) || reasonToIgnore(name) !== undefined);
}

/** The folders before the first one with a wildcard. */
function namedFolders(segments: readonly Characters[]): readonly string[] {
  const folders = segments.slice(0, -1).map((segment) => segment.join(''));
  const end = folders.findIndex((name) => /[*?]|^$/.test(name) || NEVER_SEARCHED.has(name));
  return end === -1 ? folders : folders.slice(0, end);
}

/** Excluded regardless of the patterns. */
export const NEVER_SEARCHED: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
]);

/**
 * Why a folder is left out because of its name, unless the setting `ignore` is false; undefined for any other folder.
 */
export function reasonToIgnore(name: string): string | undefined {
  if (BUILD_FOLDERS.has(name)) return 'it is a build folder';
  return VENDOR_FOLDERS.has(name) ? 'it holds third-party code' : undefined;
}

const BUILD_FOLDERS: ReadonlySet<string> = new Set(['dist', 'build', 'target', 'out', 'coverage']);

/** Folders that hold copies of libraries. */
const VENDOR_FOLDERS: ReadonlySet<string> = new Set([
  'vendor',
  'third_party',
  'third-party',
  'thirdparty',
  'site-packages',
  'bower_components',
  'Pods',
  'Carthage',
  'Godeps',
  'jspm_packages',
  'elm-stuff',
]);

/** A path with its extension in lower case, so that the same patterns match `README.MD` and `README.md`. */
export function withPlainEnding(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]{1,20}$/, (ending) => ending.toLowerCase());
}

/** The extension of a documentation file: `.rst`. Undefined for any other file, and for a `.txt` that a tool reads. */
export function documentationEnding(path: string): string | undefined {
  const ending = DOCUMENTATION_ENDINGS.find((one) => path.toLowerCase().endsWith(one));
  return ending === '.txt' && isReadByTools(path) ? undefined : ending;
}

/** Whether the name of a `.txt` is one of dependency lists, build files, licenses, or files for crawlers. */
function isReadByTools(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1, -'.txt'.length).toLowerCase();
  return TOOL_NAMES.has(name) || TOOL_PREFIXES.some((prefix) => name.startsWith(prefix));
}

const TOOL_NAMES: ReadonlySet<string> = new Set([
  'cmakelists',
  'dev-requirements',
  'test-requirements',
  'robots',
  'humans',
  'ads',
  'app-ads',
  'version',
]);

const TOOL_PREFIXES = ['requirements', 'constraints', 'license', 'licence', 'copying'];

/** Why a valid pattern can never match documentation; undefined if it can. */
export function deadPatternReason(pattern: string): string | undefined {
  const { dead, all } = deadNames(pattern);
  return dead.length === all ? `this pattern ${MATCHES_NOTHING}` : undefined;
}

/** Why an alternative in the braces of a valid pattern can never match documentation; undefined if all can. */
export function deadPartReason(pattern: string): string | undefined {
  const { dead } = deadNames(pattern);
  return dead.length === 0
    ? undefined
    : `"${[...new Set(dead)].join('" and "')}" in it ${MATCHES_NOTHING}`;
}

function deadNames(pattern: string) {
  const names = globAlternatives(pattern).map((segments) => segments.at(-1) ?? []);
  const dead = names.filter((name) => !mayBeDocumentation(name)).map((name) => name.join(''));
  return { dead, all: names.length };
}

const MATCHES_NOTHING = `matches nothing: documentation files end in ${DOCUMENTATION_ENDINGS.join(', ')}; end a folder pattern with /`;

/** The likely reason why an include pattern matched none of these files. */
export function unmatchedReason(pattern: string, paths: readonly string[]): string {
  const matches = globMatcher([pattern.toLowerCase()]);
  const other = paths.find((path) => matches(path.toLowerCase()));
  if (other !== undefined) return `${MATCHED_NONE}; ${other} differs only in letter case`;
  if (pattern.startsWith('~'))
    return `${MATCHED_NONE}: patterns are relative to the project folder, and "~" is not expanded`;
  if (/[, ]/.test(pattern.replace(/\{[^{}]*\}/g, '')))
    return `${MATCHED_NONE}: write each pattern as a separate entry`;
  return MATCHED_NONE;
}

const MATCHED_NONE = 'this pattern matched no file';

/** Decides by the text after the last wildcard of a name. */
function mayBeDocumentation(name: Characters): boolean {
  const text = name.join('').toLowerCase();
  const end = text.slice(Math.max(text.lastIndexOf('*'), text.lastIndexOf('?')) + 1);
  const hasWildcard = end !== text;
  return DOCUMENTATION_ENDINGS.some(
    (ending) => end.endsWith(ending) || (hasWildcard && ending.endsWith(end)),
  );
}
