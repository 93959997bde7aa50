import { splitFrontmatter } from '../../src/domain/chunks/frontmatter.js';
import { parseLines } from '../../src/domain/chunks/markdown.js';
import { readExchangeTime } from '../../src/domain/sessions/session-file.js';

/**
 * One section of a session file: the first line of the prompt as heading, the time, then the prompt and the response.
 */
export interface ShownExchange {
  /** Absent for text before the first section. */
  readonly heading?: string;
  /** ISO 8601; absent if someone has removed it. */
  readonly at?: string;
  readonly text: string;
}

/** Splits a session file, which people may have edited, into its exchanges. */
export function exchangesOf(file: string): readonly ShownExchange[] {
  const sections: string[][] = [[]];
  const lines = parseLines(splitFrontmatter(file).body);
  for (const { text, headingLevel } of lines) {
    if (headingLevel === 2) sections.push([]);
    sections.at(-1)?.push(text);
  }
  const [before = [], ...exchanges] = sections;
  const preamble = before.join('\n').trim();
  return [...(preamble === '' ? [] : [{ text: preamble }]), ...exchanges.map(toExchange)];
}

function toExchange([first = '', ...rest]: readonly string[]): ShownExchange {
  const at = readExchangeTime(rest[0] ?? '');
  return {
    heading: first.replace(/^[\s#]+/, ''),
    ...(at !== undefined && { at }),
    text: rest
      .slice(at === undefined ? 0 : 1)
      .join('\n')
      .trim(),
  };
}
