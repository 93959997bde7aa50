import type { Learning } from '../../domain/lessons/learning.js';

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
   * The learnings; may be empty. Categories are as the model wrote them.
   * @throws ModelCallError when the endpoint fails or returns anything but learnings
   */
  extractLearnings(report: FeatureReport): Promise<readonly Learning[]>;
}
