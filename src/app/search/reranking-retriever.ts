import { reasonOf } from '../../domain/errors.js';
import { RERANKED_RESULTS, RERANKING_TIMEOUT_MS } from '../../domain/limits.js';
import { RERANK_WEIGHT, RerankerTrust, rerankedOrder } from '../../domain/ranking/reranking.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import { RetryPause } from '../../domain/retry-pause.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Reranker } from '../../ports/driven/reranker.js';
import type { Project } from '../projects/project.js';
import type { RetrievalRequest, Retrieved, Retriever } from './retriever.js';

export interface RerankingOptions {
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
  #leftOut = 0;

  constructor(retriever: Retriever, options: RerankingOptions) {
    this.#retriever = retriever;
    this.#options = options;
    this.#pause = new RetryPause(PAUSES, () => options.clock.monotonic());
  }

  async retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved> {
    const retrieved = await this.#retriever.retrieve(project, request);
    const first = retrieved.ranked.slice(0, RERANKED_RESULTS);
    if (first.length < 2) return retrieved;
    const outcome = this.#isLeftOut() ? UNRELATED : await this.#rerank(request.text, first);
    if (typeof outcome === 'string') return { ...retrieved, reranking: outcome };
    const isTaken = this.#trust.takes(request.text);
    this.#trust.see(outcome);
    const order = isTaken ? rerankedOrder(outcome, RERANK_WEIGHT) : [...first.keys()];
    const traced = order.flatMap((place) => withTrace(first, place, outcome[place]));
    const ranked = [...traced, ...retrieved.ranked.slice(first.length)];
    if (isTaken)
      return { ...retrieved, ranked, reranking: `The first ${first.length} were ordered again.` };
    return { ...retrieved, ranked, reranking: this.#trust.isRefuted ? UNRELATED : UNPROVEN };
  }

  /** One whose order is unrelated is asked in one search of ten only, to see whether it has got better. */
  #isLeftOut(): boolean {
    if (!this.#trust.isRefuted) return false;
    this.#leftOut += 1;
    return this.#leftOut % ASK_REFUTED_EVERY !== 0;
  }

  /** The relevance of each chunk, or why there is none, as a sentence. */
  async #rerank(query: string, chunks: readonly ScoredChunk[]): Promise<Relevances | string> {
    const { reranker, clock, logger } = this.#options;
    if (this.#pause.remainingMs() > 0)
      return 'The reranker failed before and is left alone for a while.';
    const ending = new AbortController();
    const tooLate = clock
      .sleep(RERANKING_TIMEOUT_MS, ending.signal)
      .then(() => Promise.reject(new Error(`It took longer than ${RERANKING_TIMEOUT_MS} ms.`)));
    tooLate.catch(() => {});
    try {
      const documents = chunks.map(({ chunk }) => textOf(chunk));
      const relevances = reranker.rerank({ query, documents }, ending.signal);
      const outcome = await Promise.race([relevances, tooLate]);
      this.#failures = 0;
      this.#pause.succeeded();
      return outcome;
    } catch (error) {
      const reason = reasonOf(error);
      this.#failures += 1;
      if (this.#failures >= FAILURES_IN_A_ROW) this.#pause.failed(reason);
      logger.warn('Results could not be reranked; their order stays.', { reason });
      return `The reranker failed, so the order stays. ${reason}`;
    } finally {
      ending.abort();
    }
  }
}

type Relevances = readonly (number | undefined)[];

const UNPROVEN =
  'The reranker has not shown yet, over several searches, that its order is related to that of the search, so the order stays.';
const UNRELATED =
  'The order of the reranker has had nothing to do with that of the search, so the order stays.';
const ASK_REFUTED_EVERY = 10;
const FAILURES_IN_A_ROW = 3;
const PAUSES = { firstMs: 1000, longestMs: 60_000 };

function textOf({ heading, content }: ScoredChunk['chunk']): string {
  return heading === undefined ? content : `${heading}\n${content}`;
}

function withTrace(
  chunks: readonly ScoredChunk[],
  place: number,
  rerankScore: number | undefined,
): readonly ScoredChunk[] {
  const scored = chunks[place];
  if (scored === undefined) return [];
  return [{ ...scored, rankBefore: place + 1, ...(rerankScore !== undefined && { rerankScore }) }];
}
