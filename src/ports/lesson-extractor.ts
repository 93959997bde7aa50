import type { Lesson } from '../domain/lessons/lesson-text.js';

/** What is known about a finished feature. */
export interface FeatureReport {
  readonly title: string;
  readonly description: string;
  readonly agentOutput: string;
  readonly reflection: string;
}

/** Asks a small language model what was learned from a feature. */
export interface LessonExtractor {
  /** False if no model is configured. */
  isAvailable(): boolean;
  /**
   * The lessons; may be empty. Categories are as the model wrote them.
   * @throws ModelCallError when the endpoint fails or returns anything but lessons
   */
  extractLessons(report: FeatureReport): Promise<readonly Lesson[]>;
}
