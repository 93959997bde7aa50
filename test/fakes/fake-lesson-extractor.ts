import type { ModelCallError } from '../../src/domain/errors.js';
import type { Learning } from '../../src/domain/lessons/learning.js';
import type { FeatureReport, LessonExtractor } from '../../src/ports/driven/lesson-extractor.js';

/** Learns one thing from a report, its reflection, for the category `patterns`; from a blank one nothing. */
export class FakeLessonExtractor implements LessonExtractor {
  available = true;
  /** While set, every call fails with it. */
  failure: ModelCallError | undefined;
  /** What every call returns instead, if set. */
  learnings: readonly Learning[] | undefined;
  /** The reports of all calls, failed ones too, oldest first. */
  readonly calls: FeatureReport[] = [];

  isAvailable(): boolean {
    return this.available;
  }

  async extractLearnings(report: FeatureReport): Promise<readonly Learning[]> {
    this.calls.push(report);
    if (this.failure !== undefined) throw this.failure;
    return this.learnings ?? learningsOf(report);
  }
}

function learningsOf({ title, reflection }: FeatureReport): readonly Learning[] {
  const content = reflection.trim();
  return content === '' ? [] : [{ category: 'patterns', title, content }];
}
