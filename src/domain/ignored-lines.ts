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

/**
 * The text of a `.gitignore` with the lines that it lacks at its end; the same text if it has them all. A line counts
 * only as git reads it: without a space before it, and behind every line that takes something back.
 */
export function withIgnoredLines(text: string): string {
  const lines = text.split(/\r?\n/);
  const present = new Set(lines.slice(lines.findLastIndex((line) => line.startsWith('!')) + 1));
  const missing = IGNORED.filter((line) => !present.has(line));
  if (missing.length === 0) return text;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${separator}${missing.join('\n')}\n`;
}
