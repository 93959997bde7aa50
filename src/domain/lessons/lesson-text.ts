import { headOf } from '../chunks/text.js';
import type { Lesson } from './lesson.js';

/** A lesson as it is stored: title and content on one line each, neither of them empty. */
export interface TidyLesson {
  readonly title: string;
  readonly content: string;
}

/**
 * Puts a lesson into the form in which it is stored and looked up. Nothing that a model wrote can
 * then open a fence, a section or a second paragraph. Undefined where no text is left.
 */
export function tidyLesson({ title, content }: Lesson): TidyLesson | undefined {
  const tidy = {
    title: oneLine(title, LESSON_TITLE_MAX_CHARACTERS),
    content: oneLine(content, LESSON_CONTENT_MAX_CHARACTERS),
  };
  return tidy.title === '' || tidy.content === '' ? undefined : tidy;
}

/** What a lesson is compared and looked up by: it begins as its stored form does. */
export function textOfLesson({ title, content }: TidyLesson): string {
  return `${title} ${content}`;
}

/** The visible text on one line, white space collapsed, cut at `maxCharacters` UTF-16 units. */
export function oneLine(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const line = visibleText(text).replace(/\s+/g, ' ').trim();
  return headOf(line, maxCharacters).trimEnd();
}

/**
 * The text without what nobody sees but a model reads: control characters other than newline and
 * tab, zero-width characters, marks of direction, Unicode tags, variation selectors. Every line end
 * becomes a newline.
 */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '')
    .toWellFormed();
}

const LESSON_TITLE_MAX_CHARACTERS = 200;
const LESSON_CONTENT_MAX_CHARACTERS = 4000;

const INVISIBLE = /(?![\t\n])\p{Cc}|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;
