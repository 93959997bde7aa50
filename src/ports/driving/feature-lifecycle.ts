import type { SearchResult } from '../../domain/search.js';

/** A feature on which work is about to begin. */
export interface FeatureInHand {
  readonly title: string;
  readonly description: string;
  /** The feature's own chunks are left out of the results; the other features of its epic are the fallback. */
  readonly featureId?: string;
  readonly maxResults?: number;
}

/** Lessons from earlier features for an upcoming one. */
export interface FoundLessons {
  /** Markdown under `## Lessons from Similar Features`, ready for a prompt; empty if there are no lessons. */
  readonly section: string;
  readonly source: 'search' | 'siblings' | 'none';
  /** The results of the search; empty for `siblings`. */
  readonly results: readonly SearchResult[];
}

/** What the completion of a feature added to the memory. */
export interface CompletionReport {
  /** Number of lessons that the model found. */
  readonly lessons: number;
  readonly added: number;
  readonly duplicates: number;
  /** Names of the categories that grew. */
  readonly categories: readonly string[];
  /** Names of the categories that were compacted. */
  readonly compacted: readonly string[];
}

/** Provides lessons when a feature begins and extracts lessons when it is complete (docs/specification.md, "Lessons and features"). */
export interface FeatureLifecycle {
  /**
   * The lessons for a feature that enters EXECUTE. Counts as a retrieval.
   * @throws KnowledgeError `not_found` for an unknown `featureId`
   */
  lessonsFor(projectPath: string, feature: FeatureInHand): Promise<FoundLessons>;
  /**
   * Extracts learnings from a finished feature into the memory categories.
   * @throws KnowledgeError `not_found` for an unknown feature, `model_unavailable`
   */
  completeFeature(projectPath: string, featureId: string): Promise<CompletionReport>;
}
