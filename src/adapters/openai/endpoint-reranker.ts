import { RERANKED_RESULTS, RERANKING_TIMEOUT_MS } from '../../domain/limits.js';
import { isRecord } from '../../domain/records.js';
import { takeHead } from '../../domain/text.js';
import type { Reranker, RerankQuery } from '../../ports/reranker.js';
import { EndpointClient, type EndpointOptions } from './endpoint-client.js';

/** Reranks with `POST {baseUrl}/rerank`, in the format that llama.cpp, TEI, vLLM, Jina and Cohere share. */
export class EndpointReranker implements Reranker {
  readonly maxDocuments = RERANKED_RESULTS;
  readonly timeoutMs = RERANKING_TIMEOUT_MS;
  readonly #endpoint: EndpointClient;

  constructor(options: EndpointOptions) {
    this.#endpoint = new EndpointClient({ ...options, role: 'reranker' });
  }

  async rerank(
    { query, documents }: RerankQuery,
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const texts = documents.map((text) => takeHead(text, TEXT_MAX_CHARACTERS).toWellFormed());
    const body = { query: query.toWellFormed(), documents: texts, top_n: texts.length };
    const call = { path: '/rerank', body, timeoutMs: TIMEOUT_MS, signal };
    const scores = readScores(await this.#endpoint.post(call), documents.length);
    if (typeof scores === 'string') throw this.#endpoint.unusable(scores);
    return scores;
  }
}

const TEXT_MAX_CHARACTERS = 8000;
/** Limit of the HTTP call. Searches stop waiting earlier. */
const TIMEOUT_MS = 10_000;

/** Returns the scores, or a sentence that says why they cannot be used. */
function readScores(reply: unknown, count: number): readonly number[] | string {
  const results = isRecord(reply) ? reply['results'] : undefined;
  if (!Array.isArray(results)) return 'The reply has no list of results.';
  const scores = new Map<unknown, number>();
  for (const result of results) {
    const { index, relevance_score: score } = isRecord(result) ? result : {};
    if (typeof score !== 'number' || !Number.isFinite(score)) return 'A result has no score.';
    scores.set(index, score);
  }
  const ordered = Array.from({ length: count }, (_, index) => scores.get(index) ?? []).flat();
  const isComplete = ordered.length === count && results.length === count;
  return isComplete ? ordered : 'The reply does not score each document once.';
}
