import type { SearchResult } from '../../domain/search.js';

/** A feature that an agent is about to start work on. */
export interface UpcomingFeature {
  readonly title: string;
  readonly description?: string;
  /** Leaves out the feature's own chunks; if the search finds nothing, features of the same epic are used instead. */
  readonly featureId?: string;
  /** At most this many results of the search, 1 to 1000; default 5. */
  readonly maxResults?: number;
}

/** Lessons from earlier features for an upcoming one. */
export interface FoundLessons {
  /** Markdown under `## Lessons from Similar Features`, ready for a prompt; empty if there are no lessons. */
  readonly section: string;
  /** `siblings` are other features of the same epic. */
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

/**
 * Provides lessons when a feature begins and extracts lessons when it is complete (docs/specification.md,
 * "Lessons and features").
 */
export interface FeatureLifecycle {
  /**
   * The lessons for a feature that enters the host program's state `EXECUTE`. The search counts as a retrieval.
   * @throws KnowledgeError `invalid_request`, `not_found` for an unknown `featureId`
   */
  lessonsFor(projectPath: string, feature: UpcomingFeature): Promise<FoundLessons>;
  /**
   * Extracts lessons from a finished feature and adds them to the memory categories.
   * @throws KnowledgeError `invalid_request`, `not_found` for an unknown feature, `model_unavailable` if no
   * language model is set or its call fails
   */
  completeFeature(projectPath: string, featureId: string): Promise<CompletionReport>;
}
