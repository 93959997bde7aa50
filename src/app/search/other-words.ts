import { errorReason } from '../../domain/errors.js';
import { oneLine } from '../../domain/lessons/lesson-text.js';
import { REWRITING_TIMEOUT_MS } from '../../domain/limits.js';
import { isDoubtful } from '../../domain/ranking/relevance.js';
import type { Clock } from '../../ports/clock.js';
import type { QueryRewriter } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import type { AnswerNote } from '../../schemas/explanation.js';
import { withTimeout } from '../../shared/concurrency.js';
import type { SearchFindings } from './findings.js';

export interface OtherWordsDeps {
  readonly queryRewriter: QueryRewriter;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The parts of a search request that decide whether to rewrite it. */
interface Asked {
  readonly query: string;
  readonly also?: string;
  readonly rewrite?: boolean;
  readonly retrievals?: 'counted' | 'uncounted';
}

interface Searching<Request> extends OtherWordsDeps {
  readonly search: (asked: Request) => Promise<SearchFindings>;
  /** Counts the retrievals of an uncounted search. */
  readonly count: (found: SearchFindings) => Promise<void>;
}

interface WordedSearch {
  readonly found: SearchFindings;
  /** The words of the language model, if they were used. */
  readonly words?: string;
}

/**
 * Searches. If the answer is weak, searches again with words of a language model, provided that the request allows it
 * and has no `also`. Only the results of the last search count as retrieved.
 */
export async function searchInOtherWords<Request extends Asked>(
  asked: Request,
  { search, count, ...deps }: Searching<Request>,
): Promise<WordedSearch> {
  const isAllowed = asked.rewrite === true && (asked.also ?? '').trim() === '';
  if (!isAllowed || deps.queryRewriter.isAvailable?.() === false) {
    return { found: await search(asked) };
  }
  const first = await search({ ...asked, retrievals: 'uncounted' });
  const { ranked } = first.arranged;
  const isWeak = ranked.length === 0 || isDoubtful(ranked);
  const words = isWeak ? await otherWords(asked.query, deps) : undefined;
  if (words !== undefined) return { found: await search({ ...asked, also: words }), words };
  if (asked.retrievals !== 'uncounted') await count(first);
  return { found: first };
}

/** Asks the language model for other words; undefined if it fails or takes too long. */
async function otherWords(
  query: string,
  { queryRewriter, clock, logger }: OtherWordsDeps,
): Promise<string | undefined> {
  try {
    return await withTimeout(clock, REWRITING_TIMEOUT_MS, () => queryRewriter.rewriteQuery(query));
  } catch (error) {
    logger.warn('A query could not be rewritten.', { reason: errorReason(error) });
    return undefined;
  }
}

export function rewrittenNote(words: string): AnswerNote {
  return {
    code: 'rewritten',
    sentence: `The answer was weak, so a language model added other words for the question: ${oneLine(words)}`,
  };
}
