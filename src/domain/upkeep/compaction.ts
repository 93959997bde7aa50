import { cutToFit, packToFit } from '../chunks/cutting.js';
import { splitFrontmatter } from '../chunks/frontmatter.js';
import { headingText, parseLines } from '../chunks/markdown.js';
import {
  COMPACTION_THRESHOLD_TOKENS,
  SUMMARY_MIN_HEADINGS_SHARE,
  SUMMARY_MIN_TOKENS_SHARE,
} from '../limits.js';
import { estimateTokens } from '../text.js';

/** Whether a category has more than `threshold` tokens by `estimateTokens`. */
export function needsCompaction(text: string, threshold = COMPACTION_THRESHOLD_TOKENS): boolean {
  return estimateTokens(text) > threshold;
}

interface SummaryOptions {
  /** Never summarized. Includes its `---` lines; empty if there is none. */
  readonly frontmatter: string;
  /** The rest, in parts that each fit into one call of the model. */
  readonly parts: readonly string[];
}

/** Splits a text into parts of at most `maxCharacters`, between paragraphs if possible; without blank parts. */
export function partsToSummarize(text: string, maxCharacters: number): SummaryOptions {
  const { body } = splitFrontmatter(text);
  const limits = { words: Number.POSITIVE_INFINITY, characters: maxCharacters };
  const paragraphs = body.split(/(?<=\n[ \t]*\n)(?=\S)/).flatMap((part) => cutToFit(part, limits));
  return {
    frontmatter: text.slice(0, text.length - body.length),
    parts: packToFit(paragraphs, limits).filter((part) => part.trim() !== ''),
  };
}

/** The new text of a category: its own frontmatter, then the summaries, without any frontmatter added by the model. */
export function assembleSummary(frontmatter: string, summaries: readonly string[]): string {
  return `${frontmatter}${summaries.map(summaryBody).join('\n\n')}\n`;
}

/** Removes frontmatter added by the model. Prose between two `---` lines is not frontmatter and stays. */
export function summaryBody(summary: string): string {
  const { yaml = '', body } = splitFrontmatter(summary);
  const isMadeUp = yaml.split(/\r\n|\r|\n/).every((line) => YAML_LINE.test(line));
  return (isMadeUp ? body : summary).trim();
}

/** Why a summary may not replace the text; undefined if it may. Ignores the frontmatter of both. */
export function objectionToSummary(text: string, summary: string): string | undefined {
  const before = splitFrontmatter(text).body;
  const after = splitFrontmatter(summary).body;
  if (after.trim() === '') return 'The summary is empty.';
  if (estimateTokens(after) >= estimateTokens(before)) return 'The summary is not shorter.';
  if (estimateTokens(after) < SUMMARY_MIN_TOKENS_SHARE * estimateTokens(before))
    return 'The summary is shorter than a tenth of the text.';
  if (!keepsHeadings(before, after)) return 'The summary keeps fewer than 80 % of the headings.';
  return undefined;
}

/** Whether a summary has enough of the headings of a text, at any level. */
function keepsHeadings(text: string, summary: string): boolean {
  const wanted = readHeadings(text);
  const found = readHeadings(summary);
  const kept = [...wanted].filter((heading) => found.has(heading));
  return kept.length >= SUMMARY_MIN_HEADINGS_SHARE * wanted.size;
}

function readHeadings(text: string): ReadonlySet<string> {
  const headings = parseLines(text).filter(({ headingLevel }) => headingLevel > 0);
  return new Set(headings.map((line) => headingText(line).toLowerCase()));
}

const YAML_LINE = /^(?:\s*|\s*[\w-]+:(?:\s.*)?|\s*- .*)$/;
