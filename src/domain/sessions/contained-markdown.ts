import { type Line, parseLines } from '../chunks/markdown.js';

/**
 * The same Markdown, changed as little as necessary so that it can stand inside a `##` section: it contains no heading
 * of level 1 or 2, and what it opens (a fence, an HTML block) ends within it.
 */
export function containMarkdown(text: string): string {
  const escaped = escapeHeadings(text);
  if (!isOpenAtEnd(escaped)) return escaped;
  const closed = escapeHeadings(`${escaped}\n${closingLine(escaped)}`);
  return isOpenAtEnd(closed) ? quoteLines(text) : closed;
}

/** Escaping a heading may make the next line one, so this runs until none is left. */
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
  return line.isHeadingRest === true && isBelowHeading && /^[\s>]*(?:=+|-+)\s*$/.test(line.text);
}

/** Whether the text leaves a block open that would swallow a following heading. */
function isOpenAtEnd(text: string): boolean {
  return parseLines(`${text}\n\n## Next`).at(-1)?.headingLevel !== 2;
}

function closingLine(text: string): string {
  return parseLines(text).at(-1)?.fence?.closer ?? '-->';
}

/** Nothing in a quote can end it. */
function quoteLines(text: string): string {
  return text.replace(/^/gm, '> ');
}
