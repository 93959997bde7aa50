import { estimateTokens } from '../../domain/chunks/text.js';
import { KnowledgeError } from '../../domain/errors.js';
import { COMPACTION_THRESHOLD_TOKENS } from '../../domain/limits.js';
import { CATEGORY_NAME_RULE, isCategoryName } from '../../domain/upkeep/categories.js';
import {
  assembleSummary,
  needsCompaction,
  objectionToSummary,
  partsToSummarize,
  summaryBody,
} from '../../domain/upkeep/compaction.js';
import type {
  CompactionDraft,
  CompactionReport,
  RestorationReport,
} from '../../ports/driving/upkeep-service.js';
import type { Logger } from '../../ports/logger.js';
import type { TextFile } from '../../ports/project-files.js';
import type { Summarizer } from '../../ports/summarizer.js';
import { invalidRequest } from '../arguments.js';
import type { Project } from '../projects/project.js';
import type { MemoryFolder } from './memory-folder.js';
import { summarized } from './summaries.js';

interface CompactionOptions {
  readonly memory: MemoryFolder;
  readonly summarizer: Summarizer;
  readonly logger: Logger;
}

/**
 * Summarizes a memory category that has grown too long (docs/specification.md, "Memory categories and
 * compaction"). The summary replaces the file only if `objectionToSummary` finds nothing wrong with it,
 * and only after the old file was copied to the history.
 */
export class Compaction {
  readonly #options: CompactionOptions;
  /** The summary that was shown last, and the hash of the text that it is of. */
  #lastDraft: { readonly hash: string; readonly summary: string } | undefined;

  constructor(options: CompactionOptions) {
    this.#options = options;
  }

  /** What `compact` would do; calls no model and changes nothing. */
  async preview(
    project: ProjectFolder,
    category: string,
    threshold?: number,
  ): Promise<CompactionReport> {
    const { text } = await this.#read(project, category);
    const { parts } = partsToSummarize(text, this.#options.summarizer.maxCharacters);
    const inParts = parts.length === 1 ? 'in 1 part' : `in ${parts.length} parts`;
    return needsCompaction(text, threshold)
      ? unchanged(text, `It is over the threshold and would be summarized ${inParts}.`)
      : notNeeded(text, threshold);
  }

  /** The text that `compact` would write, which is kept for it; changes nothing. */
  async draft(
    project: ProjectFolder,
    category: string,
    threshold?: number,
  ): Promise<CompactionDraft> {
    const { text, hash } = await this.#read(project, category);
    if (!needsCompaction(text, threshold)) return { ...notNeeded(text, threshold), before: text };
    const made = await this.#summaryOf(text, category);
    if ('failure' in made) return { ...unchanged(text, made.failure), before: text };
    this.#lastDraft = { hash, summary: made.summary };
    return {
      compacted: true,
      reason: 'It is over the threshold and would be replaced by this summary.',
      tokensBefore: estimateTokens(text),
      tokensAfter: estimateTokens(made.summary),
      before: text,
      after: made.summary,
    };
  }

  async compact(project: Project, category: string, threshold?: number): Promise<CompactionReport> {
    const before = await this.#read(project, category);
    if (!needsCompaction(before.text, threshold)) return notNeeded(before.text, threshold);
    const draft = this.#lastDraft;
    const made = draft?.hash === before.hash ? draft : await this.#summaryOf(before.text, category);
    if ('failure' in made) return unchanged(before.text, made.failure);
    return this.#replace(project, category, { before, summary: made.summary });
  }

  /** Takes back the last compaction of a category, as {@link MemoryFolder.restoreCategory} says. */
  async restore(project: Project, category: string): Promise<RestorationReport> {
    checkName(category);
    const texts = await this.#options.memory.restoreCategory(project, category);
    if (texts === undefined) {
      throw new KnowledgeError(
        'not_found',
        `There is no compaction of the memory category "${category}" that could be taken back.`,
      );
    }
    const { before, after } = texts;
    return {
      restored: true,
      tokensBefore: estimateTokens(before),
      tokensAfter: estimateTokens(after),
    };
  }

  /** @throws KnowledgeError `model_unavailable` */
  async #summaryOf(text: string, category: string): Promise<Summary> {
    const { maxCharacters } = this.#options.summarizer;
    const { frontmatter, parts } = partsToSummarize(text, maxCharacters);
    const made = await summarized(this.#options, parts, category);
    if ('failure' in made) return { failure: `The summary failed: ${made.failure.message}` };
    const { summaries } = made;
    const summary = assembleSummary(frontmatter, summaries);
    const failure = summaries.some((part) => summaryBody(part) === '')
      ? 'The summary is empty.'
      : objectionToSummary(text, summary);
    return failure === undefined ? { summary } : { failure };
  }

  async #replace(
    project: Project,
    category: string,
    { before, summary }: { readonly before: TextFile; readonly summary: string },
  ): Promise<CompactionReport> {
    const replaced = await this.#options.memory.replaceCategory(project, category, {
      before,
      text: summary,
    });
    if (!replaced)
      return unchanged(before.text, 'The category changed while it was summarized; try again.');
    return {
      compacted: true,
      reason: 'The category was summarized; the old text is in the history.',
      tokensBefore: estimateTokens(before.text),
      tokensAfter: estimateTokens(summary),
    };
  }

  async #read(project: ProjectFolder, category: string): Promise<TextFile> {
    checkName(category);
    const file = await this.#options.memory.readCategory(project, category);
    if (file === undefined) {
      throw new KnowledgeError('category_not_found', `There is no memory category "${category}".`);
    }
    return file;
  }
}

type ProjectFolder = Pick<Project, 'path'>;

/** A summary that may replace the text, or why there is none. */
type Summary = { readonly summary: string } | { readonly failure: string };

function checkName(category: string): void {
  if (isCategoryName(category)) return;
  throw invalidRequest(`categoryFile ${CATEGORY_NAME_RULE}.`);
}

function notNeeded(text: string, threshold = COMPACTION_THRESHOLD_TOKENS): CompactionReport {
  return unchanged(text, `It is not over the threshold of ${threshold} tokens.`);
}

function unchanged(text: string, reason: string): CompactionReport {
  const tokens = estimateTokens(text);
  return { compacted: false, reason, tokensBefore: tokens, tokensAfter: tokens };
}
