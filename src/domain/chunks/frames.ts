import { measureText, type TextSize } from './cutting.js';
import { joinLines, type Line } from './markdown.js';
import { isTableStart } from './tables.js';

/** The first and last lines repeated in every piece of a fence or table, and the lines between them. */
interface Frame {
  readonly before: string;
  readonly after: string;
  readonly first: number;
  readonly end: number;
}

export function findFrame(lines: readonly Line[]): Frame | undefined {
  const fence = lines[0]?.fence;
  if (fence !== undefined) {
    const isClosed = lines.at(-1)?.text.trim().endsWith(fence.closer) === true;
    const end = isClosed ? lines.length - 1 : lines.length;
    return { before: `${fence.opener}\n`, after: `${fence.closer}\n`, first: 1, end };
  }
  if (!beginsTable(lines, 0)) return undefined;
  return { before: joinLines(lines.slice(0, 2)), after: '', first: 2, end: lines.length };
}

export function leavesEnough({ before, after }: Frame, limit: TextSize): boolean {
  const { words, characters } = measureText(before + after);
  return words <= limit.words / 2 && characters + 1 <= limit.characters / 2;
}

/** Whether a table begins at the line with this index. */
export function beginsTable(lines: readonly Line[], index: number): boolean {
  const [header, delimiter] = [lines[index], lines[index + 1]];
  if (header?.verbatim !== false || delimiter === undefined) return false;
  return isTableStart(header.text, delimiter.text);
}
