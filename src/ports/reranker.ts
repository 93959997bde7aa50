/** Judges with a model how well passages answer a query, more finely than embeddings can. */
export interface Reranker {
  /** Maximum number of results per call, best first. */
  readonly maxDocuments: number;
  /** How long a search waits for the reranker. */
  readonly timeoutMs: number;
  /**
   * Loads a local model, and downloads it if allowed; absent for an endpoint.
   * @throws KnowledgeError `model_unavailable`
   */
  load?(): Promise<void>;
  /**
   * The relevance of each document to the query, in the order of the documents: any finite numbers, comparable within
   * one call only; higher is better. At most `maxDocuments` documents. Aborting `signal` ends the call.
   * @throws ModelCallError if the endpoint fails or its answer cannot be used
   */
  rerank(query: RerankQuery, signal?: AbortSignal): Promise<readonly number[]>;
}

export interface RerankQuery {
  readonly query: string;
  readonly documents: readonly string[];
}
