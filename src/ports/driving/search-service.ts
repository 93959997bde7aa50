import type { SearchAnswer, SearchRequest } from '../../domain/search.js';

/** Searches the knowledge of a project (docs/specification.md, "Service methods"). */
export interface SearchService {
  /**
   * The chunks that match a query, best first, within a budget. Counts as a retrieval of the chunks it
   * returns, unless the options say otherwise. At most `maxResults` (default 20) within `maxTokens` (default 8,000). Never fails because a model
   * is missing or because retrievals cannot be counted.
   * @throws KnowledgeError `invalid_request` for a blank query, or an option of a wrong type or out of range
   */
  search(projectPath: string, query: string, options?: SearchRequest): Promise<SearchAnswer>;
  /**
   * Counts a retrieval of each of these chunks, for a caller that searched without counting. Resolves when that is
   * done, or after 50 ms; then it follows. Never fails because it cannot be counted.
   */
  countRetrievals(projectPath: string, chunkIds: readonly string[]): Promise<void>;
  /**
   * Reflections and agent outputs that match a text, read as plain words; at most `maxResults` (default 5)
   * within 3,000 tokens. Counts as a retrieval.
   */
  searchReflections(projectPath: string, query: string, maxResults?: number): Promise<SearchAnswer>;
  /**
   * Chunks similar to the first 20 words of a text; chunks of `sourceFile`, relative to the project, are left
   * out. At most `maxResults` (default 20) within 1,000,000 tokens. Does not count as a retrieval.
   */
  findSimilarChunks(
    projectPath: string,
    text: string,
    sourceFile?: string,
    maxResults?: number,
  ): Promise<SearchAnswer>;
}
