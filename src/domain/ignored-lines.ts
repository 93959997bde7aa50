import { DATABASE_FILE, PROJECT_KEY_FILE, sessionsFolder } from './project-layout.js';

/**
 * What git should ignore in an application directory: caches, keys, sessions, and unfinished files.
 */
const IGNORED = [
  `${DATABASE_FILE}*`,
  PROJECT_KEY_FILE,
  `${sessionsFolder('')}/`.slice(1),
  '.*.tmp',
];

/** Otherwise git refuses to check out a branch where the file is committed from one where it is not. */
const ITSELF = '.gitignore';

/**
 * Appends the missing lines to the text of a `.gitignore`. A line counts as present only if it has no leading space and
 * follows all negated lines, as git requires. A new file also ignores itself. The line ends stay as they are.
 */
export function withIgnoredLines(text: string): string {
  const lines = text.split(/\r?\n/);
  const present = new Set(lines.slice(lines.findLastIndex((line) => line.startsWith('!')) + 1));
  const wanted = text === '' ? [...IGNORED, ITSELF] : IGNORED;
  const missing = wanted.filter((line) => !present.has(line));
  if (missing.length === 0) return text;
  const end = /\r?\n/.exec(text)?.[0] ?? '\n';
  const separator = text === '' || text.endsWith('\n') ? '' : end;
  return `${text}${separator}${missing.map((line) => line + end).join('')}`;
}
