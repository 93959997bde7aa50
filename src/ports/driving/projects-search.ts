import type { ProjectResult } from '../../domain/ranking/merged-results.js';
import type { SearchRequest } from '../../domain/search.js';

/** What several projects know about a query. */
export interface ProjectsAnswer {
  /** The most relevant first. */
  readonly results: readonly ProjectResult[];
  /** Sum of the budget tokens of the results. */
  readonly totalTokens: number;
  /** The projects that could not be searched. */
  readonly skipped: readonly SkippedProject[];
}

export interface SkippedProject {
  readonly projectPath: string;
  /** One sentence. */
  readonly reason: string;
}

/** Searches several projects at once. */
export interface ProjectsSearch {
  /**
   * The chunks of 1 to 50 projects that match a query, by relevance, within one budget, and the same text only once.
   * Counts as a retrieval of the chunks it returns. A project that cannot be searched does not fail the others.
   * @throws KnowledgeError `invalid_request` for a path that is not absolute, and as `SearchService.search` does
   */
  searchProjects(
    projectPaths: readonly string[],
    query: string,
    options?: SearchRequest,
  ): Promise<ProjectsAnswer>;
}
