import type { Lesson } from '../../domain/lessons/lesson.js';

/** What is known of a finished feature. */
export interface FeatureReport {
  readonly title: string;
  readonly description: string;
  readonly agentOutput: string;
  readonly reflection: string;
}

/** Asks a small language model what was learned from a feature. */
export interface LessonExtractor {
  isAvailable(): boolean;
  /**
   * The lessons, which may be an empty list; their categories are as the model wrote them.
   * @throws ModelCallError when the endpoint fails or returns anything but lessons
   */
  extractLessons(report: FeatureReport): Promise<readonly Lesson[]>;
}
