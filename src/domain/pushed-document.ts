import { DOCUMENT_PATH_MAX_CHARACTERS } from './limits.js';
import { atOrBelow } from './paths.js';

/** The source types that a pushed document can have. */
export const PUSHED_TYPES = ['file', 'reflection', 'agent_output'] as const;

export type PushedType = (typeof PUSHED_TYPES)[number];

/** What the content hashes of pushed documents begin with; that of a file never does. */
export const PUSHED_HASH_PREFIX = 'pushed:';

/** Whether a source was pushed: it has no file, so that a missing file says nothing about it. */
export function isPushed({ contentHash }: { readonly contentHash: string }): boolean {
  return contentHash.startsWith(PUSHED_HASH_PREFIX);
}

export const DOCUMENT_PATH_RULE = `must be a path relative to the project, such as "docs/guide.md": names separated by "/", none of them "." or "..", at most ${DOCUMENT_PATH_MAX_CHARACTERS} characters`;

/** Whether this can be the path of a document: relative, in one spelling only, and without control characters. */
export function isDocumentPath(path: string): boolean {
  if (path.length > DOCUMENT_PATH_MAX_CHARACTERS || !path.isWellFormed()) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be in a path
  if (/[\u0000-\u001f\u007f\\]|^[A-Za-z]:/.test(path)) return false;
  return path.split('/').every((name) => name.trim() !== '' && name !== '.' && name !== '..');
}

/** Whether a path is in the application directory, also on a file system that ignores case. */
export function isInAppDir(appDir: string, path: string): boolean {
  return atOrBelow([appDir.toLowerCase()])(path.toLowerCase());
}
