import { splitFrontmatter } from '../chunks/frontmatter.js';
import { headingText, isBlank, type Line, parseLines } from '../chunks/markdown.js';
import type { TidyLesson } from './lesson-text.js';

/** Lessons of one feature, for one memory category. */
export interface CategoryAddition {
  readonly category: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** The feature that taught them, on one line. */
  readonly feature: string;
  readonly lessons: readonly TidyLesson[];
}

/**
 * Appends lessons to the text of a category, one paragraph each. Existing text is unchanged, its line endings are
 * kept, and an open fence is closed. An empty text becomes a new category.
 */
export function withLessons(text: string, addition: CategoryAddition): string {
  if (addition.lessons.length === 0) return text;
  const before = text === '' ? newCategory(addition.category) : text;
  const newline = /\r?\n/.exec(before)?.[0] ?? '\n';
  const paragraphs = addition.lessons.map(
    ({ title, content }) =>
      `### ${title} (${addition.date})\n- **Learned:** ${content}\n${FEATURE}${addition.feature}\n`,
  );
  const closed = withoutOpenFence(before, newline);
  return `${closed}${gapAfter(closed, newline)}${paragraphs.join('\n').replaceAll('\n', newline)}`;
}

/** The lessons of a category, one per paragraph, without dates in headings, labels and provenance. */
export function readLessons(text: string): readonly string[] {
  const paragraphs: Paragraph[] = [];
  let open: Paragraph = { lines: [], hasText: false };
  for (const line of parseLines(splitFrontmatter(text).body)) {
    if (line.headingLevel > 0 || (isBlank(line) && open.hasText)) {
      paragraphs.push(open);
      open = { lines: [], hasText: false };
    }
    open.lines.push(line);
    open.hasText ||= isText(line);
  }
  return [...paragraphs, open]
    .filter(({ hasText }) => hasText)
    .map(({ lines }) => lines.map(bareText).join('\n').trim());
}

interface Paragraph {
  readonly lines: Line[];
  hasText: boolean;
}

const FEATURE = '- **Feature:** ';

/** Takes linear time, because its length is fixed. */
const DATE_AT_END = /\(\d{4}-\d{2}-\d{2}\)$/;

function newCategory(category: string): string {
  const name = isPlainYaml(category) ? category : `"${category}"`;
  return `---
tags: [${name}]
summary: ${category} implementation decisions and patterns
relevantTo: [${name}]
importance: 0.7
relatedFiles: []
usageStats:
  loaded: 0
  referenced: 0
  successfulFeatures: 0
---
# ${category}
`;
}

/** Whether YAML reads an unquoted category name as a string. */
function isPlainYaml(name: string): boolean {
  return /^[a-z]/.test(name) && !/^(?:null|true|false|yes|no|on|off|y|n)$/.test(name);
}

/** The line ends needed before a new paragraph. */
function gapAfter(text: string, newline: string): string {
  if (/\n[ \t]*\r?\n$/.test(text)) return '';
  return text.endsWith('\n') ? newline : newline + newline;
}

function withoutOpenFence(text: string, newline: string): string {
  const fences = text.match(/`{3,}|~{3,}/g) ?? [];
  const longest = fences.reduce((length, fence) => Math.max(length, fence.length), 3);
  const closings = ['`', '~'].map(
    (sign) => `${text}${text.endsWith('\n') ? '' : newline}${sign.repeat(longest)}${newline}`,
  );
  return [text, ...closings].find((closed) => !endsInFence(closed)) ?? text;
}

function endsInFence(text: string): boolean {
  return parseLines(`${splitFrontmatter(text).body}\nprobe`).at(-1)?.verbatim === true;
}

function isText(line: Line): boolean {
  return !isBlank(line) && line.headingLevel === 0;
}

function bareText(line: Line): string {
  if (line.headingLevel > 0) return headingText(line).replace(DATE_AT_END, '').trimEnd();
  return line.text.startsWith(FEATURE)
    ? ''
    : line.text.replace(/^\s*[-*+]\s+(?:\*\*[^*]+:\*\*)?/, '');
}
