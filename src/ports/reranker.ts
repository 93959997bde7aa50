/** Judges by a model how well passages answer a query; does the work that embeddings are too coarse for. */
export interface Reranker {
  /** Maximum number of results that it gets, best first. */
  readonly maxDocuments: number;
  /** A search waits this long for it. */
  readonly timeoutMs: number;
  /**
   * Loads a local model, and downloads it where that is allowed; absent for an endpoint.
   * @throws KnowledgeError `model_unavailable`
   */
  load?(): Promise<void>;
  /**
   * The relevance of each document to the query, in the order of the documents: any finite numbers, higher is better,
   * which compare within one call only. At most `maxDocuments` documents.
   * Aborting `signal` ends the call.
   * @throws ModelCallError when the endpoint fails or its answer cannot be used
   */
  rerank(query: RerankQuery, signal?: AbortSignal): Promise<readonly number[]>;
}

export interface RerankQuery {
  readonly query: string;
  readonly documents: readonly string[];
}
