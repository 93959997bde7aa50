import { splitFrontmatter } from './frontmatter.js';
import { parseLines } from './markdown.js';

/** Whether a markdown file contains git's merge conflict markers outside code fences. */
export function hasMergeConflict(text: string): boolean {
  if (!text.includes('<<<<<<<')) return false;
  const { yaml = '', body } = splitFrontmatter(text);
  const prose = parseLines(body).filter(({ fence }) => fence === undefined);
  const lines = [...yaml.split(/\r\n|\r|\n/), ...prose.map((line) => line.text)];
  const begin = lines.findIndex((line) => /^<{7}(?: |$)/.test(line));
  const middle = lines.findIndex((line, index) => index > begin && /^={7}$/.test(line));
  return (
    begin !== -1 && middle !== -1 && lines.slice(middle).some((line) => /^>{7}(?: |$)/.test(line))
  );
}

/** The tag for all chunks of such a file. */
export const CONFLICT_TAG = 'merge-conflict';
