import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelCallError } from '../../domain/errors.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';

/** A generator that works, and what makes it fail and work again. */
interface QuestionGeneratorSubject {
  readonly generator: QuestionGenerator;
  breakDown(): void;
  recover(): void;
  close(): Promise<void>;
}

/** What every available {@link QuestionGenerator} does. */
export function describeQuestionGenerator(
  name: string,
  start: () => Promise<QuestionGeneratorSubject>,
): void {
  describe(`QuestionGenerator: ${name}`, () => {
    let subject: QuestionGeneratorSubject;
    beforeEach(async () => {
      subject = await start();
    });
    afterEach(() => subject.close());

    it('is available', () => {
      expect(subject.generator.isAvailable()).toBe(true);
    });

    it.each([
      ['a note', 'Use WAL mode, so that readers do not block the writer.'],
      ['one word', 'WAL'],
      ['nothing but marks', '!!!'],
      ['a very long text', 'readers '.repeat(10_000)],
      ['half a surrogate pair', 'emoji \ud83d'],
    ])('asks exactly three short questions on one line each about %s', async (_, text) => {
      const questions = await subject.generator.generateQuestions(text);
      expect(questions).toHaveLength(3);
      for (const question of questions) expect(question).toMatch(/^\S.{0,198}\S$/u);
    });

    it('asks the same questions about the same text', async () => {
      const first = await subject.generator.generateQuestions('Use WAL mode.');
      expect(await subject.generator.generateQuestions('Use WAL mode.')).toEqual(first);
    });

    it('returns the right questions to each of two concurrent calls', async () => {
      const { generator } = subject;
      const [cats, dogs] = await Promise.all([
        generator.generateQuestions('cats purr'),
        generator.generateQuestions('dogs bark'),
      ]);
      expect(cats.join(' ')).toContain('cats');
      expect(dogs.join(' ')).toContain('dogs');
    });

    it('throws a ModelCallError while the model fails, and works again afterwards', async () => {
      subject.breakDown();
      const failed = subject.generator.generateQuestions('Use WAL mode.');
      await expect(failed).rejects.toBeInstanceOf(ModelCallError);
      subject.recover();
      expect(await subject.generator.generateQuestions('Use WAL mode.')).toHaveLength(3);
    });
  });
}
