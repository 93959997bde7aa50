import { type Line, parseLines } from '../chunks/markdown.js';

/**
 * Changes Markdown as little as necessary to fit inside a `##` section: without headings of level 1 or 2, and without
 * unclosed blocks (fences, HTML).
 */
export function containMarkdown(text: string): string {
  const escaped = escapeHeadings(text);
  if (!isOpenAtEnd(escaped)) return escaped;
  const closed = escapeHeadings(`${escaped}\n${closingLine(escaped)}`);
  return isOpenAtEnd(closed) ? quoteLines(text) : closed;
}

/** Escaping a heading may turn the next line into one, so this repeats until none is left. */
function escapeHeadings(text: string): string {
  for (let rest = text; ; ) {
    const lines = parseLines(rest);
    const escaped = lines.map((line, index) => escapeHeading(line, lines[index - 1])).join('\n');
    if (escaped === rest) return rest;
    rest = escaped;
  }
}

/** The line, with its heading sign or the underline of a heading escaped. */
function escapeHeading(line: Line, previous: Line | undefined): string {
  const isAtx = line.headingLevel > 0 && line.headingLevel <= 2 && line.heading === undefined;
  if (isAtx) return line.text.replace('#', '\\#');
  return isUnderline(line, previous) ? line.text.replace(/[=-]/, '\\$&') : line.text;
}

function isUnderline(line: Line, previous: Line | undefined): boolean {
  const isBelowHeading = previous?.heading !== undefined || previous?.isHeadingRest === true;
  return line.isHeadingRest === true && isBelowHeading && /^\s*(?:=+|-+)\s*$/.test(line.text);
}

/** Whether the text leaves a block open that would include a following heading. */
function isOpenAtEnd(text: string): boolean {
  return parseLines(`${text}\n\n## Next`).at(-1)?.headingLevel !== 2;
}

function closingLine(text: string): string {
  return parseLines(text).at(-1)?.fence?.closer ?? '-->';
}

/** Puts the lines in a quote, which no text inside can end. */
function quoteLines(text: string): string {
  return text.replace(/^/gm, '> ');
}
