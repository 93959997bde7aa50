import * as z from 'zod';
import { KnowledgeError } from '../../../domain/errors.js';
import { fencedText } from '../../../domain/lessons/fenced-text.js';
import { oneLine, visibleText } from '../../../domain/lessons/lesson-text.js';
import { wholeNumber as wholeNumberIn } from '../../../domain/value-rule.js';
import type {
  ChunkDetails,
  SourceLines,
  SourcesService,
} from '../../../ports/driving/sources-service.js';
import { writeBody } from '../../../schemas/checks.js';
import { anyText, wholeNumber } from '../../../schemas/fields.js';
import { chunkOf, shortChunk } from '../../../schemas/results.js';
import { answerTokens, type Preview, previewOf } from '../answers/budget.js';
import { citationLines, placeOf, WARNING_OF_BLOCK } from '../answers/results-answer.js';
import { DEFAULT_ANSWER_TOKENS } from '../limits.js';
import { maxTokens, project, type Tool, tool } from './tool.js';

const line = wholeNumber(wholeNumberIn({ min: 1, max: 10_000_000 }));

/** The whole text of a chunk that a search showed as a preview, or lines of a source. */
export function getTool(sources: SourcesService): Tool {
  return tool({
    name: 'get',
    title: 'Read a chunk or a file',
    description:
      'Returns the text of one chunk by its id, as search results name it, with the ids of similar chunks; or lines of an indexed file. Use it where a search result is only a preview. Does not count as a use of the chunk.',
    effect: 'reads',
    input: z.object({
      id: anyText.describe('Id of a chunk, such as docs/db.md#1.').exactOptional(),
      source_file: anyText
        .describe('Or a file, such as docs/db.md or docs/db.md:10-40.')
        .exactOptional(),
      from: line.describe('First line of the file.').exactOptional(),
      to: line.describe('Last line.').exactOptional(),
      project,
      max_tokens: maxTokens,
    }),
    answer: async (projectPath, { max_tokens: tokens = DEFAULT_ANSWER_TOKENS, ...wanted }) => {
      const { id, source_file: file = id } = wanted;
      if (file === undefined) {
        throw new KnowledgeError('invalid_request', 'id or source_file is required.');
      }
      if (id !== undefined && /#\d+$/.test(id)) {
        const details = await sources.getChunk(projectPath, id);
        const [at] = await sources.linesOf(projectPath, [id]);
        return chunkAnswer(details, at, tokens);
      }
      const { path, ...range } = rangeIn(file);
      const { from = range.from, to = range.to } = wanted;
      return linesAnswer(await sources.readLines(projectPath, path, { from, to }), tokens);
    },
  });
}

/** `path`, `path:12` or `path:12-40`. */
function rangeIn(file: string) {
  const [, path = file, from, to] = /^(.+?):(\d{1,8})(?:-(\d{1,8}))?$/s.exec(file) ?? [];
  return {
    path,
    from: from === undefined ? undefined : Math.max(1, Number(from)),
    to: to === undefined ? undefined : Number(to),
  };
}

function linesAnswer({ text, ...source }: SourceLines, tokens: number) {
  const { sourceFile, from, to, lines } = source;
  const head = `file: ${oneLine(sourceFile)}\nlines: ${from} to ${to} of ${lines}`;
  const room = tokens - answerTokens(head) - answerTokens(WARNING_OF_BLOCK) - FRAME_TOKENS;
  const shown = previewOf(visibleText(text), Math.max(0, room));
  const end = shown.complete ? '' : `\n${CUT}\n`;
  return {
    text: `${WARNING_OF_BLOCK}\n\n${fencedText(`${head}\n\n${shown.text}`)}${end}`,
    structured: { ...source, text: shown.text, complete: shown.complete },
  };
}

const CUT = 'This is the beginning; ask for fewer lines, or use a larger max_tokens.';
const FRAME_TOKENS = 40;

function chunkAnswer(details: ChunkDetails, at: number | undefined, tokens: number) {
  const similar = previewOf(linesOf(details), Math.floor(tokens / SHARE_OF_SIMILAR));
  const blockOf = (content: Preview) => block({ ...details, at, similar, content });
  const frame = blockOf({ text: '', complete: false });
  const room = Math.max(0, tokens - answerTokens(frame));
  const content = previewOf(visibleText(details.chunk.content), room);
  return {
    text: blockOf(content),
    structured: {
      chunk: { ...writeBody(shortChunk, chunkOf(details.chunk)), content: content.text },
      ...(at !== undefined && { line: at }),
      complete: content.complete,
      ...(details.citations && { citations: details.citations }),
      ...(details.stale && { stale: true }),
      questions: similar.complete ? details.questions : [],
      neighbours: similar.complete ? details.neighbours : [],
      ...(details.supersededBy !== undefined && { supersededBy: details.supersededBy }),
    },
  };
}

/** The text has at least four fifths of the budget. */
const SHARE_OF_SIMILAR = 5;

/** What belongs to the chunk; data of the project, like its text. */
function linesOf({ questions, neighbours }: ChunkDetails): string {
  return [
    ...questions.map((question) => `answers: ${oneLine(question)}`),
    ...neighbours.map(({ id, cosine }) => `similar: ${oneLine(id)} (cosine ${cosine.toFixed(2)})`),
  ].join('\n');
}

interface ShownChunk extends ChunkDetails {
  readonly at: number | undefined;
  readonly similar: Preview;
  readonly content: Preview;
}

function block({ at, similar, content, ...details }: ShownChunk): string {
  const { chunk, supersededBy } = details;
  const lines = [
    `id: ${oneLine(chunk.id)}`,
    `file: ${placeOf(chunk, at)}`,
    ...(chunk.heading === undefined ? [] : [`heading: ${oneLine(chunk.heading)}`]),
    ...(supersededBy === undefined ? [] : [`supersededBy: ${oneLine(supersededBy)}`]),
    ...citationLines(details),
    ...(similar.complete && similar.text !== '' ? [similar.text] : []),
    ...(content.complete ? [] : [`preview: of ${chunk.content.length} characters`]),
  ];
  return `${WARNING_OF_BLOCK}\n\n${fencedText(`${lines.join('\n')}\n\n${content.text}`)}`;
}
