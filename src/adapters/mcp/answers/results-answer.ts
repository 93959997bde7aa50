import { fencedText } from '../../../domain/lessons/fenced-text.js';
import { oneLine, visibleText } from '../../../domain/lessons/lesson-text.js';
import type { SearchResult } from '../../../domain/search.js';
import { PREVIEW_MIN_TOKENS } from '../limits.js';
import { answerTokens } from './answer-tokens.js';
import { fairShare } from './fair-share.js';
import { type Preview, previewOf } from './preview.js';
import { WARNING_OF_BLOCKS } from './warnings.js';

export interface ResultsAnswerParts {
  readonly results: readonly SearchResult[];
  /** Words that a preview should contain. */
  readonly terms?: readonly string[];
  readonly maxTokens: number;
  /** The text if there are no results. */
  readonly otherwise: string;
}

/** A result with as much of its text as is shown. */
export interface ShownResult extends SearchResult {
  /** False if the content is a preview. */
  readonly complete: boolean;
}

export interface ResultsAnswer {
  readonly text: string;
  readonly shown: readonly ShownResult[];
  /** Number of results that the budget has no room for. */
  readonly omitted: number;
}

/**
 * Search results as text for a model, best first, within a budget. Every chunk is in a fenced block that
 * it cannot close. If the chunks do not fit whole, they share the budget, and the longer ones are previews.
 */
export function resultsAnswer(parts: ResultsAnswerParts): ResultsAnswer {
  const { results, terms, maxTokens, otherwise } = parts;
  if (results.length === 0) return { text: otherwise, shown: [], omitted: 0 };
  const room = maxTokens - INTRODUCTION_TOKENS;
  const fitting = fittingOf(results.map(measured), room);
  const omitted = results.length - fitting.length;
  const frames = fitting.reduce((sum, { frame }) => sum + frame, 0);
  const share = fairShare(
    fitting.map(({ cost }) => cost),
    room - frames,
  );
  const previewed = fitting.map(({ result, text }) => ({
    result,
    preview: previewOf(text, share, terms),
    length: text.length,
  }));
  return {
    text: [introduction(fitting.length, omitted), ...previewed.map(blockOf)].join('\n'),
    shown: previewed.map(({ result: { chunk, score }, preview }) => ({
      chunk: { ...chunk, content: preview.text },
      score,
      complete: preview.complete,
    })),
    omitted,
  };
}

/** A result, and what its parts cost. */
interface Measured {
  readonly result: SearchResult;
  /** Its content without what nobody sees. */
  readonly text: string;
  readonly cost: number;
  /** The cost of its block without the content. */
  readonly frame: number;
}

function measured(result: SearchResult): Measured {
  const text = visibleText(result.chunk.content);
  const empty = blockOf({ result, preview: { text: '', complete: false }, length: text.length });
  return { result, text, cost: answerTokens(text), frame: answerTokens(empty) };
}

/** The longest prefix of which every result has room for a preview. */
function fittingOf(candidates: readonly Measured[], room: number): readonly Measured[] {
  let used = 0;
  const end = candidates.findIndex(({ cost, frame }) => {
    used += frame + Math.min(cost, PREVIEW_MIN_TOKENS);
    return used > room;
  });
  return end === -1 ? candidates : candidates.slice(0, end);
}

interface Previewed {
  readonly result: SearchResult;
  readonly preview: Preview;
  /** Characters of the whole text. */
  readonly length: number;
}

/** What a file says about itself is in the block too: it is no less data than the text. */
function blockOf({ result: { chunk, score }, preview, length }: Previewed): string {
  const lines = [
    `id: ${oneLine(chunk.id)}`,
    `file: ${oneLine(chunk.sourceFile)} (${oneLine(chunk.sourceType)})`,
    ...(chunk.heading === undefined ? [] : [`heading: ${oneLine(chunk.heading)}`]),
    `score: ${Number(score.toPrecision(4))}`,
    ...(preview.complete ? [] : [`preview: of ${length} characters`]),
  ];
  return fencedText(`${lines.join('\n')}\n\n${preview.text}`);
}

function introduction(count: number, omitted: number): string {
  const left = omitted === 0 ? '' : `; ${omitted} more need a larger max_tokens`;
  return `${count} ${count === 1 ? 'result' : 'results'}, best first${left}. ${WARNING_OF_BLOCKS}\n`;
}

const INTRODUCTION_TOKENS = 60;
