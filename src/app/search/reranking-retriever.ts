import { embeddingText } from '../../domain/chunks/chunk.js';
import { reasonOf } from '../../domain/errors.js';
import { RERANKED_RESULTS, RERANKING_TIMEOUT_MS } from '../../domain/limits.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Reranker } from '../../ports/driven/reranker.js';
import { inTime } from '../in-time.js';
import type { Project } from '../projects/project.js';
import type { RetrievalRequest, Retrieved, Retriever } from './retriever.js';

interface RerankingDeps {
  readonly reranker: Reranker;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sorts the first 20 chunks of another retriever by the scores of a model; without scores the order stays. */
export class RerankingRetriever implements Retriever {
  readonly #retriever: Retriever;
  readonly #deps: RerankingDeps;

  constructor(retriever: Retriever, deps: RerankingDeps) {
    this.#retriever = retriever;
    this.#deps = deps;
  }

  async retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved> {
    const retrieved = await this.#retriever.retrieve(project, request);
    const first = retrieved.ranked.slice(0, RERANKED_RESULTS);
    if (first.length < 2) return retrieved;
    try {
      const scores = await this.#scores(request.text, first);
      const reranked = first
        .map((scored, index) => ({
          ...scored,
          rankBefore: index + 1,
          rerankScore: scores[index] ?? 0,
        }))
        .toSorted((a, b) => b.rerankScore - a.rerankScore);
      return {
        ...retrieved,
        ranked: [...reranked, ...retrieved.ranked.slice(first.length)],
        reranking: `The first ${first.length} were reranked.`,
      };
    } catch (error) {
      const reason = reasonOf(error);
      this.#deps.logger.warn('Results could not be reranked; their order stays.', { reason });
      return { ...retrieved, reranking: `The reranker failed, so the order stays. ${reason}` };
    }
  }

  async #scores(query: string, chunks: readonly ScoredChunk[]): Promise<readonly number[]> {
    const { reranker, clock } = this.#deps;
    const documents = chunks.map(({ chunk }) => embeddingText(chunk));
    const rerank = (signal: AbortSignal) => reranker.rerank({ query, documents }, signal);
    const scores = await inTime(clock, RERANKING_TIMEOUT_MS, rerank);
    if (scores === undefined) throw new Error(`It took longer than ${RERANKING_TIMEOUT_MS} ms.`);
    return scores;
  }
}
