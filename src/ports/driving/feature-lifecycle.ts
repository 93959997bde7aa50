import type { SearchResult } from '../../domain/search.js';

/** A feature that is about to be worked on. */
export interface FeatureInHand {
  readonly title: string;
  readonly description: string;
  /** Left out of the results; names the epic for the fallback. */
  readonly featureId?: string;
  readonly maxResults?: number;
}

/** What earlier features teach about one in hand. */
export interface FoundLessons {
  /** Markdown under `## Lessons from Similar Features`, ready for a prompt; empty if there are no lessons. */
  readonly section: string;
  readonly source: 'search' | 'siblings' | 'none';
  /** What the search found; empty for siblings. */
  readonly results: readonly SearchResult[];
}

/** What a finished feature left behind in the memory. */
export interface CompletionReport {
  /** Lessons that the model found. */
  readonly lessons: number;
  readonly added: number;
  readonly duplicates: number;
  /** Names of the categories that grew. */
  readonly categories: readonly string[];
  /** Names of the categories that were compacted. */
  readonly compacted: readonly string[];
}

/** Lessons for features that begin and from features that end (docs/specification.md, "Lessons and features"). */
export interface FeatureLifecycle {
  /**
   * The lessons for a feature that enters EXECUTE. Counts as a retrieval.
   * @throws KnowledgeError `not_found` for an unknown `featureId`
   */
  lessonsFor(projectPath: string, feature: FeatureInHand): Promise<FoundLessons>;
  /**
   * Extracts what a finished feature taught into the memory categories.
   * @throws KnowledgeError `not_found` for an unknown feature, `model_unavailable`
   */
  completeFeature(projectPath: string, featureId: string): Promise<CompletionReport>;
}
