import type { Chunk } from '../../../domain/chunks/chunk.js';
import { fencedText } from '../../../domain/lessons/fenced-text.js';
import { oneLine } from '../../../domain/lessons/lesson-text.js';
import type { SourceContent } from '../../../ports/driving/sources-service.js';
import { answerTokens } from '../answers/answer-tokens.js';
import { previewOf } from '../answers/preview.js';
import { WARNING_OF_BLOCK } from '../answers/warnings.js';

/** The text of a source for a model, in one fenced block that it cannot close, within a budget. */
export function sourceText(source: SourceContent, maxTokens: number): string {
  const head = headOf(source);
  const text = source.chunks.map(chunkText).join('\n\n');
  const room = maxTokens - answerTokens(head) - answerTokens(WARNING_OF_BLOCK) - FRAME_TOKENS;
  const shown = previewOf(text, Math.max(0, room));
  const isWhole = shown.complete && source.complete;
  const end = isWhole ? '' : `\n${CUT}\n`;
  return `${WARNING_OF_BLOCK}\n\n${fencedText(`${head}\n\n${shown.text}`)}${end}`;
}

function headOf({ sourceFile, sourceType, chunks }: SourceContent): string {
  return `file: ${oneLine(sourceFile)} (${oneLine(sourceType)})\nchunks: ${chunks.length}`;
}

function chunkText({ heading, content }: Chunk): string {
  return heading === undefined ? content : `## ${oneLine(heading)}\n${content}`;
}

const CUT = 'This is the beginning of the file; search finds the parts that matter.';
/** The fence, and the sentence that says that the text was cut. */
const FRAME_TOKENS = 40;
