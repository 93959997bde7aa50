import { embeddingText } from '../../domain/chunks/chunk.js';
import { reasonOf } from '../../domain/errors.js';
import { RERANKED_RESULTS, RERANKING_TIMEOUT_MS } from '../../domain/limits.js';
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

/** Sorts the first 20 chunks that were retrieved by the scores of a model; without scores the order stays. */
export function withReranking(retrieve: Retrieve, deps: RerankingDeps): Retrieve {
  return async (project, request) => {
    const retrieved = await retrieve(project, request);
    if (request.profile === 'specified') return retrieved;
    const first = retrieved.ranked.slice(0, RERANKED_RESULTS);
    if (first.length < 2) return retrieved;
    try {
      const reranked = await rerank(request.text, first, deps);
      const ranked = [...reranked, ...retrieved.ranked.slice(first.length)];
      return { ...retrieved, ranked, reranking: `The first ${first.length} were reranked.` };
    } catch (error) {
      const reason = reasonOf(error);
      deps.logger.warn('Results could not be reranked; their order stays.', { reason });
      return { ...retrieved, reranking: `The reranker failed, so the order stays. ${reason}` };
    }
  };
}

async function rerank(
  query: string,
  chunks: readonly ScoredChunk[],
  { reranker, clock }: RerankingDeps,
): Promise<readonly ScoredChunk[]> {
  const documents = chunks.map(({ chunk }) => embeddingText(chunk));
  const call = (signal: AbortSignal) => reranker.rerank({ query, documents }, signal);
  const scores = await withTimeout(clock, RERANKING_TIMEOUT_MS, call);
  if (scores === undefined) throw new Error(`It took longer than ${RERANKING_TIMEOUT_MS} ms.`);
  return chunks
    .map((scored, place) => ({
      ...scored,
      rankBefore: place + 1,
      rerankScore: scores[place] ?? 0,
    }))
    .toSorted((a, b) => b.rerankScore - a.rerankScore);
}
