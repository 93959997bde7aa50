import { takeHead } from '../text.js';

/** A lesson from a feature, for a memory category. */
export interface Lesson {
  readonly category: string;
  readonly title: string;
  readonly content: string;
}

/** A lesson as it is stored: title and content on one line each, neither of them empty. */
export interface TidyLesson {
  readonly title: string;
  readonly content: string;
}

/**
 * Puts a lesson into the form in which it is stored and looked up, so that the model's text cannot open a fence, a
 * section or a second paragraph. Undefined if no text is left.
 */
export function tidyLesson({ title, content }: Lesson): TidyLesson | undefined {
  const tidy = {
    title: oneLine(title, LESSON_TITLE_MAX_CHARACTERS),
    content: oneLine(content, LESSON_CONTENT_MAX_CHARACTERS),
  };
  return tidy.title === '' || tidy.content === '' ? undefined : tidy;
}

/** The text by which a lesson is compared and looked up; it begins as the stored form does. */
export function textOfLesson({ title, content }: TidyLesson): string {
  return `${title} ${content}`;
}

interface ReflectionOf {
  readonly title: string;
  readonly description: string;
  readonly lessons: readonly TidyLesson[];
}

/** A `reflection.md`: title, description, and one section per lesson. */
export function reflectionText({ title, description, lessons }: ReflectionOf): string {
  const sections = lessons.map((lesson) => [`## ${lesson.title}`, asParagraph(lesson.content)]);
  const parts = [`# ${oneLine(title)}`, asParagraph(oneLine(description)), ...sections.flat()];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Escapes a character at the beginning of a line that could open a block. */
function asParagraph(line: string): string {
  return line.replace(/^(?=[!-/:-@[-`{-~])/, '\\');
}

/** The visible text on one line, with white space collapsed, cut at `maxCharacters` UTF-16 units. */
export function oneLine(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const line = visibleText(text).replace(/\s+/g, ' ').trim();
  return takeHead(line, maxCharacters).trimEnd();
}

/**
 * Removes invisible characters that a model would read: control characters other than newline and tab, zero-width
 * characters, direction marks, Unicode tags, variation selectors. Keeps a joiner between two letters or emoji, which
 * some scripts need. Every line end becomes a newline.
 */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '')
    .toWellFormed();
}

/**
 * A text as a fenced block of markdown, so that a model sees where data begins and ends. The fence is longer than every
 * run of backticks in the text, which cannot close it.
 */
export function fenceText(content: string): string {
  const text = visibleText(content);
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

const LESSON_TITLE_MAX_CHARACTERS = 200;
const LESSON_CONTENT_MAX_CHARACTERS = 4000;

const INVISIBLE =
  /(?![\t\n])\p{Cc}|\p{Default_Ignorable_Code_Point}(?<![\p{L}\p{M}\p{Emoji_Presentation}\p{Extended_Pictographic}][\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}]))|[\ufff9-\ufffb]/gu;
