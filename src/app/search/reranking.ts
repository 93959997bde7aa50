import { embeddingText } from '../../domain/chunks/chunk.js';
import { errorReason } from '../../domain/errors.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { Reranker } from '../../ports/reranker.js';
import { withTimeout } from '../../shared/concurrency.js';
import type { Retrieve } from './retrieval.js';

interface RerankingDeps {
  readonly reranker: Reranker;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reranks the first chunks if the two best are close. The merged score and the score of a model count half each. If the
 * model fails, the order is unchanged.
 */
export function withReranking(retrieve: Retrieve, deps: RerankingDeps): Retrieve {
  return async (project, request) => {
    const retrieved = await retrieve(project, request);
    if (request.profile === 'specified') return retrieved;
    const first = retrieved.ranked.slice(0, deps.reranker.maxDocuments);
    if (first.length < 2) return retrieved;
    if (!isClose(first)) return { ...retrieved, reranking: NOT_CLOSE };
    try {
      const reranked = await rerank(request.text, first, deps);
      const ranked = [...reranked, ...retrieved.ranked.slice(first.length)];
      return {
        ...retrieved,
        ranked,
        reranking: `The first ${first.length} results were reranked.`,
      };
    } catch (error) {
      const reason = errorReason(error);
      deps.logger.warn('Results could not be reranked; their order is unchanged.', { reason });
      return {
        ...retrieved,
        reranking: `The reranker failed, so the order is unchanged. ${reason}`,
      };
    }
  };
}

const NOT_CLOSE = 'The best result is clearly ahead, so nothing was reranked.';

/** Whether the two best scores differ by less than a tenth of the best. */
function isClose([best, second]: readonly ScoredChunk[]): boolean {
  if (best === undefined || second === undefined) return false;
  return best.score - second.score < CLOSE_SHARE * Math.abs(best.score);
}

const CLOSE_SHARE = 0.1;

async function rerank(
  query: string,
  chunks: readonly ScoredChunk[],
  { reranker, clock }: RerankingDeps,
): Promise<readonly ScoredChunk[]> {
  const documents = chunks.map(({ chunk }) => embeddingText(chunk));
  const call = (signal: AbortSignal) => reranker.rerank({ query, documents }, signal);
  const scores = await withTimeout(clock, reranker.timeoutMs, call);
  if (scores === undefined) throw new Error(`It took longer than ${reranker.timeoutMs} ms.`);
  if (scores.length !== chunks.length || !scores.every(Number.isFinite)) {
    throw new Error('It did not score every result.');
  }
  return mixScores(chunks, scores);
}

/** Orders by the mean of both scores, because the reranker alone orders worse. */
function mixScores(
  chunks: readonly ScoredChunk[],
  rerankScores: readonly number[],
): readonly ScoredChunk[] {
  const own = standardScores(chunks.map(({ score }) => score));
  const asked = standardScores(rerankScores);
  return chunks
    .map((scored, place) => ({
      mean: ((own[place] ?? 0) + (asked[place] ?? 0)) / 2,
      chunk: { ...scored, rankBefore: place + 1, rerankScore: rerankScores[place] ?? 0 },
    }))
    .toSorted((a, b) => b.mean - a.mean)
    .map(({ chunk }) => chunk);
}

function standardScores(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const deviation = Math.sqrt(variance) || 1;
  return values.map((value) => (value - mean) / deviation);
}
