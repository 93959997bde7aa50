import { embeddingText } from '../../domain/chunks/chunk.js';
import { reasonOf } from '../../domain/errors.js';
import { RERANKED_RESULTS, RERANKING_TIMEOUT_MS } from '../../domain/limits.js';
import { RERANK_WEIGHT, RerankerTrust, rerankedOrder } from '../../domain/ranking/reranking.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import { RetryPause } from '../../domain/retry-pause.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Reranker } from '../../ports/driven/reranker.js';
import { inTime } from '../in-time.js';
import type { Project } from '../projects/project.js';
import type { RetrievalRequest, Retrieved, Retriever } from './retriever.js';

interface RerankingOptions {
  readonly reranker: Reranker;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Orders the first 20 chunks that another retriever found again, by a model. Where that takes too long or fails, the order
 * stays as it was, and the answer says why. After three failures in a row, searches do without for a while.
 */
export class RerankingRetriever implements Retriever {
  readonly #retriever: Retriever;
  readonly #options: RerankingOptions;
  readonly #pause: RetryPause;
  readonly #trust = new RerankerTrust();
  #failures = 0;

  constructor(retriever: Retriever, options: RerankingOptions) {
    this.#retriever = retriever;
    this.#options = options;
    this.#pause = new RetryPause(PAUSES, () => options.clock.monotonic());
  }

  async retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved> {
    const retrieved = await this.#retriever.retrieve(project, request);
    const first = retrieved.ranked.slice(0, RERANKED_RESULTS);
    if (first.length < 2) return retrieved;
    const relevances = await this.#rerank(request.text, first);
    if (typeof relevances === 'string') return { ...retrieved, reranking: relevances };
    const isTaken = this.#trust.takes(request.text);
    this.#trust.see(relevances);
    const judged = first.map((scored, place) => {
      const rerankScore = relevances[place];
      const judgment = rerankScore === undefined ? {} : { rerankScore };
      return { ...scored, rankBefore: place + 1, ...judgment };
    });
    const order = isTaken ? rerankedOrder(relevances, RERANK_WEIGHT) : [...judged.keys()];
    const reordered = order.flatMap((place) => judged[place] ?? []);
    return {
      ...retrieved,
      ranked: [...reordered, ...retrieved.ranked.slice(first.length)],
      reranking: isTaken ? `The first ${first.length} were ordered again.` : UNPROVEN,
    };
  }

  /** The relevance of each chunk, or why there is none, as a sentence. */
  async #rerank(query: string, chunks: readonly ScoredChunk[]): Promise<Relevances | string> {
    const { reranker, clock, logger } = this.#options;
    if (this.#pause.remainingMs() > 0)
      return 'The reranker failed before and is left alone for a while.';
    try {
      const documents = chunks.map(({ chunk }) => embeddingText(chunk));
      const rerank = (signal: AbortSignal) => reranker.rerank({ query, documents }, signal);
      const relevances = await inTime(clock, RERANKING_TIMEOUT_MS, rerank);
      if (relevances === undefined)
        throw new Error(`It took longer than ${RERANKING_TIMEOUT_MS} ms.`);
      this.#failures = 0;
      this.#pause.succeeded();
      return relevances;
    } catch (error) {
      const reason = reasonOf(error);
      this.#failures += 1;
      if (this.#failures >= FAILURES_IN_A_ROW) this.#pause.failed(reason);
      logger.warn('Results could not be reranked; their order stays.', { reason });
      return `The reranker failed, so the order stays. ${reason}`;
    }
  }
}

type Relevances = readonly (number | undefined)[];

const UNPROVEN =
  'The reranker has not shown yet, over several searches, that its order is related to that of the search, so the order stays.';
const FAILURES_IN_A_ROW = 3;
const PAUSES = { firstMs: 1000, longestMs: 60_000 };
