import type { SearchResult } from '../search.js';

export interface ProjectResult extends SearchResult {
  readonly projectPath: string;
}

export interface ProjectResults {
  readonly projectPath: string;
  /** In the order of the project. */
  readonly results: readonly SearchResult[];
}

/**
 * The results of several projects by relevance, the only number that can be compared between them. One whose relevance
 * is unknown, because nothing was ranked by vectors, counts as likely as not; such results take turns: the first of each
 * project, then the second of each. Of results with the same heading and content the first stays.
 */
export function mergedResults(projects: readonly ProjectResults[]): readonly ProjectResult[] {
  const ranked = projects
    .flatMap(({ projectPath, results }) =>
      results.map((result, rank) => ({ rank, result: { projectPath, ...result } })),
    )
    .toSorted((a, b) => relevanceOf(b.result) - relevanceOf(a.result) || a.rank - b.rank);
  const byText = new Map<string, ProjectResult>();
  for (const { result } of ranked) {
    const text = JSON.stringify([result.chunk.heading, result.chunk.content]);
    if (!byText.has(text)) byText.set(text, result);
  }
  return [...byText.values()];
}

function relevanceOf({ relevance = EVEN_ODDS }: SearchResult): number {
  return relevance;
}

const EVEN_ODDS = 0.5;
