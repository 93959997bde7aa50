import { cutToFit, packToFit } from '../chunks/cutting.js';
import { splitFrontmatter } from '../chunks/frontmatter.js';
import { estimateTokens } from '../chunks/tokens.js';
import { COMPACTION_THRESHOLD_TOKENS } from '../limits.js';

/** A category name that is also a safe file name (contract, "Chunks and sources"). */
export function isCategoryName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9][a-z0-9_-]*$/.test(name);
}

/** Whether a category is over its threshold of `estimateTokens` (specification, `compactCategory`). */
export function needsCompaction(text: string, threshold = COMPACTION_THRESHOLD_TOKENS): boolean {
  return estimateTokens(text) > threshold;
}

/** A category as the summarizer gets it: never its frontmatter, in parts that fit one call. */
export interface SummaryParts {
  readonly frontmatter: string;
  readonly parts: readonly string[];
}

export function partsToSummarize(text: string, maxCharacters: number): SummaryParts {
  const { body } = splitFrontmatter(text);
  const room = { words: Number.POSITIVE_INFINITY, characters: maxCharacters };
  const paragraphs = body.split(/(?<=\n[ \t]*\n)(?=\S)/).flatMap((part) => cutToFit(part, room));
  return {
    frontmatter: text.slice(0, text.length - body.length),
    parts: packToFit(paragraphs, room).filter((part) => part.trim() !== ''),
  };
}

/** The category with its summaries in place of its text; its own frontmatter, not one of the model's. */
export function assembleSummary(frontmatter: string, summaries: readonly string[]): string {
  return `${frontmatter}${summaries.map(summaryBody).join('\n\n')}\n`;
}

/** What a summary says, without frontmatter that the model made up; text between two rules is none. */
export function summaryBody(summary: string): string {
  const { yaml = '', body } = splitFrontmatter(summary);
  const isMadeUp = yaml.split(/\r\n|\r|\n/).every((line) => YAML_LINE.test(line));
  return (isMadeUp ? body : summary).trim();
}

/** Why a summary may not replace the text; undefined where it may. */
export function objectionToSummary(text: string, summary: string): string | undefined {
  const body = splitFrontmatter(summary).body;
  if (body.trim() === '') return 'The summary is empty.';
  if (estimateTokens(summary) >= estimateTokens(text)) return 'The summary is not shorter.';
  return undefined;
}

const YAML_LINE = /^(?:\s*|\s*[\w-]+:(?:\s.*)?|\s*- .*)$/;
