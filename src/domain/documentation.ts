import { type Characters, globAlternatives } from './glob.js';

/** How the names of documentation files end, in lower or upper case. */
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
 * The folders that patterns name in full from the project on, such as `.serena/memories` in `.serena/memories/*.md`; empty for a
 * pattern that begins with a wildcard or a file.
 */
export function foldersNamedBy(patterns: readonly string[]): readonly string[] {
  return patterns
    .flatMap((pattern) => globAlternatives(pattern))
    .map((segments) => namedFolders(segments).join('/'));
}

/** Whether a folder is hidden or one of builds, or is below such a one: it is searched only if a pattern names it. */
export function isSkippedUnnamed(folder: string): boolean {
  return folder.split('/').some((name) => !isDocumentationFolder(name) || isBuildFolder(name));
}

/** The folders before the first one with a wildcard. */
function namedFolders(segments: readonly Characters[]): readonly string[] {
  const folders = segments.slice(0, -1).map((segment) => segment.join(''));
  const end = folders.findIndex((name) => /[*?]|^$/.test(name) || NEVER_SEARCHED.has(name));
  return end === -1 ? folders : folders.slice(0, end);
}

/** Whatever patterns say. */
export const NEVER_SEARCHED: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
]);

/** Folders for the results of builds and test runs, unless the setting `ignore` is false. */
export function isBuildFolder(name: string): boolean {
  return BUILD_FOLDERS.has(name);
}

const BUILD_FOLDERS: ReadonlySet<string> = new Set(['dist', 'build', 'target', 'out', 'coverage']);

/** Why a valid pattern can never match documentation; undefined if it can. */
export function deadPatternReason(pattern: string): string | undefined {
  const canMatch = globAlternatives(pattern).some((segments) =>
    mayBeDocumentation(segments.at(-1)),
  );
  return canMatch
    ? undefined
    : `this pattern matches nothing: documentation files end in ${DOCUMENTATION_ENDINGS.join(', ')}; the pattern of a folder ends in /`;
}

/** By what follows the last wildcard of a name. */
function mayBeDocumentation(name: Characters = []): boolean {
  const text = name.join('').toLowerCase();
  const end = text.slice(Math.max(text.lastIndexOf('*'), text.lastIndexOf('?')) + 1);
  const hasWildcard = end !== text;
  return DOCUMENTATION_ENDINGS.some(
    (ending) => end.endsWith(ending) || (hasWildcard && ending.endsWith(end)),
  );
}
