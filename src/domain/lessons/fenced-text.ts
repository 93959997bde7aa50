import { visibleText } from './lesson-text.js';

/**
 * A text as a fenced block of markdown, for a model that must see where data begins and ends. The fence
 * is longer than every run of backticks in the text, which therefore cannot close it.
 */
export function fencedText(content: string): string {
  const text = visibleText(content);
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}
