import { oneLine, type TidyLearning } from './learning-text.js';

/** What a reflection is written from, for a feature that has none. */
export interface ReflectionOf {
  readonly title: string;
  readonly description: string;
  readonly learnings: readonly TidyLearning[];
}

/** A `reflection.md`: title, description, and a section a learning. */
export function reflectionText({ title, description, learnings }: ReflectionOf): string {
  const sections = learnings.map((learning) => [
    `## ${learning.title}`,
    asParagraph(learning.content),
  ]);
  const parts = [`# ${oneLine(title)}`, asParagraph(oneLine(description)), ...sections.flat()];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A sign at the beginning of a line could open a block; a backslash makes it a mere sign. */
function asParagraph(line: string): string {
  return line.replace(/^(?=[!-/:-@[-`{-~])/, '\\');
}
