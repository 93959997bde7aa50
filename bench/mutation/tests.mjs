import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Tests that compare with SQLite instead of testing the domain, and one that needs more of vitest. */
const EXCEPT = [
  'test/property/bigrams.test.ts',
  'test/property/fts-match.test.ts',
  'test/property/mcp-answers.test.ts',
  'test/property/vector-index.test.ts',
];

/** Matches tests with large inputs, which only check that something is fast. */
export const LARGE = /made to be slow|linear time|very many parts|60,000/;

/** The tests whose path begins with one of `prefixes`. */
export async function testsIn(prefixes) {
  const entries = await readdir('test', { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => path.endsWith('.test.ts') && !EXCEPT.includes(path))
    .filter((path) => prefixes.some((prefix) => path.startsWith(prefix)))
    .toSorted();
}
