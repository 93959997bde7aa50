import type { Service } from '../../../app/service/service.js';
import type { ChunkDetails } from '../../../app/sources/chunk-details.js';
import { invalidRequest } from '../../../domain/errors.js';
import { formatCount } from '../../../domain/figures.js';
import { fenceText, oneLine, visibleText } from '../../../domain/lessons/lesson-text.js';
import { anyText, line } from '../../../schemas/fields.js';
import type { SkippedSource, SourceLines } from '../../../schemas/sources.js';
import {
  answerTokens,
  cutPreview,
  DEFAULT_ANSWER_TOKENS,
  type Preview,
} from '../answers/budget.js';
import {
  chunkBlock,
  FRAME_TOKENS,
  labelLine,
  stateLines,
  WARNING_OF_BLOCK,
} from '../answers/chunk-block.js';
import { linesPage } from '../answers/lines-page.js';
import { maxTokens, type Tool, tool } from './tool.js';

/** Returns the text of a chunk, which a search may have shown as a preview, or lines of a source. */
export function getTool({ sources }: Service): Tool {
  return tool({
    name: 'get',
    title: 'Read a chunk or a file',
    description:
      'Returns one chunk by its id, with the ids of similar chunks, or lines of an indexed file. Use it when a search result is only a preview.',
    effect: 'reads',
    request: {
      id: anyText.describe('Id of a chunk, such as docs/db.md#1.').exactOptional(),
      sourceFile: anyText
        .describe('Or a file, such as docs/db.md or docs/db.md:10-40.')
        .exactOptional(),
      from: line.describe('First line to read.').exactOptional(),
      to: line.describe('Last line to read.').exactOptional(),
      column: line.describe('First character of the first line.').exactOptional(),
      maxTokens,
    },
    answer: async (
      projectPath,
      { maxTokens: tokens = DEFAULT_ANSWER_TOKENS, ...wanted },
      { worktreeText },
    ) => {
      const { sourceFile, id = sourceFile, column, ...lines } = wanted;
      const file = sourceFile ?? id;
      if (id === undefined || file === undefined) {
        throw invalidRequest('id or source_file is required.');
      }
      if (/#\d+$/.test(id)) {
        const details = await sources.chunk({ projectPath, id });
        const difference = worktreeText?.(details.chunk.sourceFile);
        return chunkAnswer({ ...details, difference }, tokens);
      }
      const found = await sources.lines({ projectPath, ...lines, sourceFile: file });
      const difference = worktreeText?.(found.sourceFile);
      return linesAnswer({ ...found, difference }, tokens, column);
    },
  });
}

interface ShownInWorktree {
  readonly difference: string | undefined;
}

function linesAnswer(
  found: SourceLines & ShownInWorktree,
  tokens: number,
  column?: number,
): string {
  const { sourceFile, from, lines } = found;
  const difference = labelLine('worktree', found.difference);
  const facts = [`file: ${oneLine(sourceFile)}`, difference, ...stateLines(found)];
  const file = facts.filter((line) => line !== '').join('\n');
  const available = tokens - answerTokens(`${WARNING_OF_BLOCK}${file}`) - FRAME_TOKENS;
  const { text, last, next } = linesPage(found.text.split('\n'), Math.max(0, available), column);
  const to = from + last;
  const head = `${file}\nlines: ${from} to ${to} of ${lines}`;
  const block = `${WARNING_OF_BLOCK}\n\n${fenceText(`${head}\n\n${text}`)}`;
  if (next === undefined) return block;
  const rest = next.column === 1 ? '' : `, column: ${next.column}, because line ${to} is cut`;
  return `${block}\nThere is more: continue with from: ${from + next.line}${rest}.\n`;
}

function chunkAnswer(details: ChunkDetails & ShownInWorktree, tokens: number): string {
  const { chunk } = details;
  const similar = cutPreview(similarLines(details), Math.floor(tokens / SHARE_OF_SIMILAR));
  const more = similar.complete ? similar.text : '';
  const shown = { ...details, more };
  const formatBlock = (content: Preview) =>
    `${WARNING_OF_BLOCK}\n\n${chunkBlock(shown, content, chunk.content.length)}`;
  const available = tokens - answerTokens(formatBlock({ text: '', complete: false }));
  const content = cutPreview(visibleText(chunk.content), Math.max(0, available));
  return formatBlock(content);
}

/** Questions and similar chunks get at most a fifth of the budget, and the text gets the rest. */
const SHARE_OF_SIMILAR = 5;

/** Lists the questions that the chunk answers and similar chunks; untrusted like its text. */
function similarLines({ questions, neighbours }: ChunkDetails): string {
  return [
    ...questions.map((question) => `answers: ${oneLine(question)}`),
    ...neighbours.map(({ id, cosine }) => `similar: ${oneLine(id)} (cosine ${cosine.toFixed(2)})`),
  ].join('\n');
}

/** Reports the size of the index, the progress of background work, and skipped files. */
export function statusTool({ status, sources }: Service): Tool {
  return tool({
    name: 'status',
    title: 'Status of the project knowledge',
    description:
      'Reports which project is used, how many chunks it has, and how many of them can already be found by meaning. Use it if a search finds nothing.',
    effect: 'reads',
    request: {},
    answer: async (projectPath) => {
      const overview = await status.overview({ projectPath });
      const skipped = await sources.skipped({ projectPath });
      return statusText({ project: projectPath, ...overview }, skipped);
    },
  });
}

type Status = Awaited<ReturnType<Service['status']['overview']>>;

function statusText(
  status: Status & { readonly project: string },
  skipped: readonly SkippedSource[],
): string {
  const { project, stats, embeddings, hype, model, failure, stale, indexing } = status;
  const updated =
    stats.lastUpdated === undefined ? '' : `, last changed ${oneLine(stats.lastUpdated, 40)}`;
  const content =
    stats.totalChunks === 0 && indexing === undefined
      ? 'Nothing is indexed yet; call ingest.'
      : `${formatCount(stats.totalChunks, 'chunk')} of ${formatCount(stats.uniqueSources, 'file')}${updated}.`;
  return [
    `Project: ${oneLine(project)}`,
    content,
    ...(indexing === undefined ? [] : ['The project is being indexed for the first time.']),
    `Vectors: ${embeddings.complete} complete, ${embeddings.pending} pending.`,
    // Without a language model, no questions are ever generated.
    ...(hype.complete === 0
      ? []
      : [`Questions: ${hype.complete} complete, ${hype.pending} pending.`]),
    `Model ${model.name}: ${model.state}.${failure === undefined ? '' : ` ${oneLine(failure, 400)}`}`,
    ...(stale === 0
      ? []
      : [`Stale: ${stale}, because files that they cite have changed or are gone.`]),
    ...expiredText(status.expired),
    ...namesText(
      'Not read',
      skipped.filter(({ isRead }) => !isRead),
    ),
    ...namesText(
      'Read in part',
      skipped.filter(({ isRead }) => isRead),
    ),
  ].join('\n');
}

function expiredText(sourceFiles: readonly string[] = []): readonly string[] {
  if (sourceFiles.length === 0) return [];
  const names = oneLine(sourceFiles.join(', '), 200);
  return [`Expired: ${names}; searches leave them out. Delete them or change the expiry date.`];
}

function namesText(what: string, sources: readonly SkippedSource[]): readonly string[] {
  const names = [...new Set(sources.map(({ sourceFile }) => sourceFile))].join(', ');
  return names === '' ? [] : [`${what}: ${oneLine(names, 200)}; ingest says why.`];
}
