import { KnowledgeError } from '../../domain/errors.js';
import { formatCount, formatInteger } from '../../domain/figures.js';
import { COMPACTION_THRESHOLD_TOKENS } from '../../domain/limits.js';
import { estimateTokens } from '../../domain/text.js';
import {
  assembleSummary,
  needsCompaction,
  objectionToSummary,
  partsToSummarize,
  summaryBody,
} from '../../domain/upkeep/compaction.js';
import type { Summarizer } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import type { TextFile } from '../../ports/project-files.js';
import type { CompactionReport, CompactRequest } from '../../schemas/upkeep.js';
import type { Measuring } from '../measured-calls.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { Projects } from '../projects/projects.js';
import type { MemoryFolder } from './memory-folder.js';
import { maxSummarized, summarize } from './summaries.js';

interface CompactionOptions extends Measuring {
  readonly projects: Pick<Projects, 'open' | 'locate'>;
  readonly memory: MemoryFolder;
  readonly summarizer: Summarizer;
  readonly logger: Logger;
}

/**
 * Summarizes a memory category that has grown too long (docs/specification.md, "Memory categories and compaction"). The
 * summary replaces the file only if `objectionToSummary` finds nothing wrong with it, and only after the old file has
 * been copied to the history.
 */
export class Compaction {
  readonly #options: CompactionOptions;
  constructor(options: CompactionOptions) {
    this.#options = options;
  }

  /**
   * Summarizes `<appdir>/memory/{category}.md` if it has more than `threshold` tokens, counted as in `tokensBefore`.
   * With `dryRun`, returns a preview without calling a model or changing anything.
   * @throws KnowledgeError `category_not_found`; `model_unavailable` if a summary is needed but no model can be reached
   */
  async compact({ projectPath, category, threshold, dryRun }: CompactRequest) {
    const { projects } = this.#options;
    return dryRun
      ? this.#preview(await projects.locate(projectPath), category, threshold)
      : this.compactCategory(await projects.open(projectPath), category, threshold);
  }

  async #preview(
    project: ProjectFolder,
    category: string,
    threshold?: number,
  ): Promise<CompactionReport> {
    const { text } = await this.#read(project, category);
    const { parts } = partsToSummarize(text, maxSummarized(this.#options.summarizer));
    const inParts = `in ${formatCount(parts.length, 'part')}`;
    return needsCompaction(text, threshold)
      ? unchanged(text, `It is over the threshold and would be summarized ${inParts}.`)
      : notNeeded(text, threshold);
  }

  async compactCategory(
    project: OpenProject,
    category: string,
    threshold?: number,
  ): Promise<CompactionReport> {
    const before = await this.#read(project, category);
    if (!needsCompaction(before.text, threshold)) return notNeeded(before.text, threshold);
    const made = await this.#summarize(before.text, category);
    if ('failure' in made) return unchanged(before.text, made.failure);
    return this.#replace(project, category, { before, summary: made.summary });
  }

  /** @throws KnowledgeError `model_unavailable` */
  async #summarize(text: string, category: string): Promise<Summary> {
    const limit = maxSummarized(this.#options.summarizer);
    const { frontmatter, parts } = partsToSummarize(text, limit);
    const made = await summarize(this.#options, parts, category);
    if ('failure' in made) return { failure: `The summary failed: ${made.failure.message}` };
    const { summaries } = made;
    const summary = assembleSummary(frontmatter, summaries);
    const failure = summaries.some((part) => summaryBody(part) === '')
      ? 'The summary is empty.'
      : objectionToSummary(text, summary);
    return failure === undefined ? { summary } : { failure };
  }

  async #replace(
    project: OpenProject,
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
    const file = await this.#options.memory.readCategory(project, category);
    if (file === undefined) {
      throw new KnowledgeError('category_not_found', `There is no memory category "${category}".`);
    }
    return file;
  }
}

type ProjectFolder = Pick<Project, 'path'>;

/** A summary that may replace the text, or the reason why it is missing. */
type Summary = { readonly summary: string } | { readonly failure: string };

function notNeeded(text: string, threshold = COMPACTION_THRESHOLD_TOKENS): CompactionReport {
  return unchanged(text, `It is not over the threshold of ${formatInteger(threshold)} tokens.`);
}

function unchanged(text: string, reason: string): CompactionReport {
  const tokens = estimateTokens(text);
  return { compacted: false, reason, tokensBefore: tokens, tokensAfter: tokens };
}
