import type { ModelCallError } from '../../src/domain/errors.js';
import type { Lesson } from '../../src/domain/lessons/lesson-text.js';
import type { FeatureReport, LessonExtractor } from '../../src/ports/language-model.js';

/** Learns one thing from a report, its reflection, for the category `patterns`; from a blank one nothing. */
export class FakeLessonExtractor implements LessonExtractor {
  available = true;
  /** While set, every call fails with it. */
  failure: ModelCallError | undefined;
  /** What every call answers instead, if set. */
  lessons: readonly Lesson[] | undefined;
  /** The reports of all calls, failed ones too, oldest first. */
  readonly calls: FeatureReport[] = [];

  isAvailable(): boolean {
    return this.available;
  }

  async extractLessons(report: FeatureReport): Promise<readonly Lesson[]> {
    this.calls.push(report);
    if (this.failure !== undefined) throw this.failure;
    return this.lessons ?? lessonsOf(report);
  }
}

function lessonsOf({ title, reflection }: FeatureReport): readonly Lesson[] {
  const content = reflection.trim();
  return content === '' ? [] : [{ category: 'patterns', title, content }];
}
