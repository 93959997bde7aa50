import { oneLine, type TidyLesson } from './lesson-text.js';

/** What a reflection is written from, for a feature that has none. */
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

/** A sign at the beginning of a line could open a block; a backslash makes it a mere sign. */
function asParagraph(line: string): string {
  return line.replace(/^(?=[!-/:-@[-`{-~])/, '\\');
}
