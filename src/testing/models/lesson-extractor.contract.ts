import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelCallError } from '../../domain/errors.js';
import type { FeatureReport, LessonExtractor } from '../../ports/driven/lesson-extractor.js';

/** An extractor that learns something from {@link REPORT}, and what makes it fail and work again. */
interface LessonExtractorSubject {
  readonly extractor: LessonExtractor;
  breakDown(): void;
  recover(): void;
  close(): Promise<void>;
}

export const REPORT: FeatureReport = {
  title: 'Faster search',
  description: 'Search takes too long.',
  agentOutput: 'Done, 12 tests pass.',
  reflection: 'Use WAL mode, so that readers do not block the writer.',
};

/** A report of which nothing is to be learned. */
const EMPTY_REPORT: FeatureReport = {
  title: 'Typo',
  description: '',
  agentOutput: '',
  reflection: '',
};

/** What every available {@link LessonExtractor} does. */
export function describeLessonExtractor(
  name: string,
  start: () => Promise<LessonExtractorSubject>,
): void {
  describe(`LessonExtractor: ${name}`, () => {
    let subject: LessonExtractorSubject;
    beforeEach(async () => {
      subject = await start();
    });
    afterEach(() => subject.close());

    it('is available', () => {
      expect(subject.extractor.isAvailable()).toBe(true);
    });

    it('gives lessons with a title on one line and a content', async () => {
      const lessons = await subject.extractor.extractLessons(REPORT);
      expect(lessons.length).toBeGreaterThan(0);
      for (const { category, title, content } of lessons) {
        expect(category).toBeTypeOf('string');
        expect(title).toMatch(/^\S(.*\S)?$/u);
        expect(content.trim()).not.toBe('');
      }
    });

    it('gives an empty list where nothing was learned', async () => {
      expect(await subject.extractor.extractLessons(EMPTY_REPORT)).toEqual([]);
    });

    it('accepts a very long report', async () => {
      const long = { ...REPORT, agentOutput: 'log '.repeat(100_000) };
      expect(await subject.extractor.extractLessons(long)).not.toHaveLength(0);
    });

    it('throws a ModelCallError while the model fails, and works again afterwards', async () => {
      subject.breakDown();
      const failed = subject.extractor.extractLessons(REPORT);
      await expect(failed).rejects.toBeInstanceOf(ModelCallError);
      subject.recover();
      expect(await subject.extractor.extractLessons(REPORT)).not.toHaveLength(0);
    });
  });
}
