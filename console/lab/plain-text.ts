import { type Line, parseLines } from '../../src/domain/chunks/markdown.js';

/**
 * Turns Markdown into text to skim: removes the marks of headings, emphasis and code, and joins the lines of a
 * paragraph. Code blocks and tables keep their lines.
 */
export function plainText(markdown: string): string {
  const joined: Pick<Line, 'text' | 'verbatim'>[] = [];
  let before: Line | undefined;
  for (const line of parseLines(markdown)) {
    const last = before !== undefined && continues(before, line) ? joined.pop() : undefined;
    const text = last === undefined ? line.text : `${last.text} ${line.text.trimStart()}`;
    joined.push({ text, verbatim: line.verbatim });
    before = line;
  }
  return joined.map(({ text, verbatim }) => (verbatim ? text : withoutSigns(text))).join('\n');
}

/** Whether a line continues the paragraph or list item of the line before it. */
function continues(before: Line, line: Line): boolean {
  return isProse(before) && isProse(line) && !BEGINS_BLOCK.test(line.text);
}

function isProse({ text, verbatim, headingLevel, isHeadingRest }: Line): boolean {
  return !verbatim && headingLevel === 0 && isHeadingRest !== true && /^\s*[^\s|]/.test(text);
}

/** Matches the start of a list item or quotation. */
const BEGINS_BLOCK = /^\s*(?:[-*+]|\d+[.)]|>)(?:\s|$)/;

function withoutSigns(line: string): string {
  return line
    .replace(/^#{1,6} +/, '')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])/g, '$1')
    .replace(/`([^`]+)`/g, '$1');
}
