import { z } from 'zod';
import { fencedText } from '../../../domain/lessons/fenced-text.js';
import { oneLine } from '../../../domain/lessons/lesson-text.js';
import type { ChunkDetails, SourcesService } from '../../../ports/driving/sources-service.js';
import { anyText } from '../../../schemas/fields.js';
import { chunkOf, shortChunk } from '../../../schemas/results.js';
import { chunkNeighbour } from '../../../schemas/sources.js';
import { answerTokens } from '../answers/answer-tokens.js';
import { type Preview, previewOf } from '../answers/preview.js';
import { WARNING_OF_BLOCK } from '../answers/warnings.js';
import { DEFAULT_ANSWER_TOKENS } from '../limits.js';
import { maxTokens, project } from './arguments.js';
import { type Tool, tool } from './tool.js';

const output = z.object({
  chunk: shortChunk.describe('The chunk.'),
  complete: z.boolean().describe('False if max_tokens has no room for the whole content.'),
  questions: z.array(z.string()).describe('The questions that it answers; may be empty.'),
  neighbours: z.array(chunkNeighbour).describe('Chunks with a similar meaning, nearest first.'),
});

/** The whole text of a chunk that a search showed as a preview. */
export function getChunkTool(sources: SourcesService): Tool {
  return tool({
    name: 'get_chunk',
    title: 'Read one chunk',
    description:
      'Returns the text of one chunk by its id, as search results name it, with the ids of chunks that say something similar. Use it where a search result is only a preview. Does not count as a use of the chunk.',
    effect: 'reads',
    input: z.object({
      id: anyText.describe('Id of the chunk, from a search result.'),
      project,
      max_tokens: maxTokens,
    }),
    output,
    answer: async (projectPath, { id, max_tokens = DEFAULT_ANSWER_TOKENS }) => {
      const details = await sources.getChunk(projectPath, id);
      return chunkAnswer(details, max_tokens);
    },
  });
}

function chunkAnswer(details: ChunkDetails, tokens: number) {
  const { chunk } = details;
  const similar = previewOf(linesOf(details), Math.floor(tokens / SHARE_OF_SIMILAR));
  const frame = blockOf(details, { text: '', complete: false }, similar);
  const content = previewOf(chunk.content, Math.max(0, tokens - answerTokens(frame)));
  return {
    text: blockOf(details, content, similar),
    structured: {
      chunk: { ...chunkOf(chunk), content: content.text },
      complete: content.complete,
      ...(similar.complete ? details : NOTHING_SIMILAR),
    },
  };
}

/** The text has at least four fifths of the budget. */
const SHARE_OF_SIMILAR = 5;

const NOTHING_SIMILAR = { questions: [], neighbours: [] };

/** What belongs to the chunk; data of the project, like its text. */
function linesOf({ questions, neighbours }: ChunkDetails): string {
  return [
    ...questions.map((question) => `answers: ${oneLine(question)}`),
    ...neighbours.map(({ id, cosine }) => `similar: ${oneLine(id)} (cosine ${cosine.toFixed(2)})`),
  ].join('\n');
}

function blockOf({ chunk }: ChunkDetails, content: Preview, similar: Preview): string {
  const lines = [
    `id: ${oneLine(chunk.id)}`,
    `file: ${oneLine(chunk.sourceFile)} (${oneLine(chunk.sourceType)})`,
    ...(chunk.heading === undefined ? [] : [`heading: ${oneLine(chunk.heading)}`]),
    ...(similar.complete && similar.text !== '' ? [similar.text] : []),
    ...(content.complete ? [] : [`preview: of ${chunk.content.length} characters`]),
  ];
  return `${WARNING_OF_BLOCK}\n\n${fencedText(`${lines.join('\n')}\n\n${content.text}`)}`;
}
