import { beforeEach, describe, expect, it } from 'vitest';
import { maxSummarized } from '../../../src/app/upkeep/summaries.js';
import { ModelCallError } from '../../../src/domain/errors.js';
import type {
  FeatureReport,
  LessonExtractor,
  QuestionGenerator,
  Summarizer,
} from '../../../src/ports/language-model.js';

/** A working adapter of a language model, with functions that break it and repair it. */
interface LanguageModelSubject<Port> {
  readonly port: Port;
  breakDown(): void;
  recover(): void;
}

type Start<Port> = () => Promise<LanguageModelSubject<Port>>;

/** The contract of an available {@link LessonExtractor}, which must find a lesson in {@link REPORT}. */
export function describeLessonExtractor(name: string, start: Start<LessonExtractor>): void {
  const call = (extractor: LessonExtractor) => extractor.extractLessons(REPORT);
  describeModel(`LessonExtractor: ${name}`, { start, call }, (extractor) => {
    it('gives lessons with a title on one line and a content', async () => {
      const lessons = await call(extractor());
      expect(lessons.length).toBeGreaterThan(0);
      for (const { category, title, content } of lessons) {
        expect(category).toBeTypeOf('string');
        expect(title).toMatch(/^\S(.*\S)?$/u);
        expect(content.trim()).not.toBe('');
      }
    });

    it('returns an empty list if nothing was learned', async () => {
      expect(await extractor().extractLessons(EMPTY_REPORT)).toEqual([]);
    });

    it('accepts a very long report', async () => {
      const long = { ...REPORT, agentOutput: 'log '.repeat(100_000) };
      expect(await extractor().extractLessons(long)).not.toHaveLength(0);
    });
  });
}

const REPORT: FeatureReport = {
  title: 'Faster search',
  description: 'Search takes too long.',
  agentOutput: 'Done, 12 tests pass.',
  reflection: 'Use WAL mode, so that readers do not block the writer.',
};

/** A report without lessons. */
const EMPTY_REPORT: FeatureReport = {
  title: 'Typo',
  description: '',
  agentOutput: '',
  reflection: '',
};

/** The contract of an available {@link QuestionGenerator}. */
export function describeQuestionGenerator(name: string, start: Start<QuestionGenerator>): void {
  const call = (generator: QuestionGenerator) => generator.generateQuestions('Use WAL mode.');
  describeModel(`QuestionGenerator: ${name}`, { start, call }, (generator) => {
    it.each([
      ['a note', 'Use WAL mode, so that readers do not block the writer.'],
      ['one word', 'WAL'],
      ['nothing but marks', '!!!'],
      ['a very long text', 'readers '.repeat(10_000)],
      ['half a surrogate pair', 'emoji \ud83d'],
    ])('asks exactly three short questions on one line each about %s', async (_, text) => {
      const questions = await generator().generateQuestions(text);
      expect(questions).toHaveLength(3);
      for (const question of questions) expect(question).toMatch(/^\S.{0,198}\S$/u);
    });

    it('asks the same questions about the same text', async () => {
      expect(await call(generator())).toEqual(await call(generator()));
    });

    it('returns the right questions to each of two concurrent calls', async () => {
      const asked = ['cats purr', 'dogs bark'].map((text) => generator().generateQuestions(text));
      const [cats = [], dogs = []] = await Promise.all(asked);
      expect(cats.join(' ')).toContain('cats');
      expect(dogs.join(' ')).toContain('dogs');
    });
  });
}

/** The contract of an available {@link Summarizer}. */
export function describeSummarizer(name: string, start: Start<Summarizer>): void {
  const call = (summarizer: Summarizer) => summarizer.summarize(NOTES);
  describeModel(`Summarizer: ${name}`, { start, call }, (summarizer) => {
    it('has a whole number as its character limit', () => {
      expect(maxSummarized(summarizer())).toBeGreaterThan(0);
      expect(Number.isInteger(maxSummarized(summarizer()))).toBe(true);
    });

    it('shortens a text and keeps its headings', async () => {
      const summary = await call(summarizer());
      expect(summary.length).toBeLessThan(NOTES.length);
      expect(summary).toContain('## Storage');
      expect(summary).toContain('## API');
    });

    it('accepts a text of exactly its limit', async () => {
      const whole = '## Storage\n'.padEnd(maxSummarized(summarizer()), 'a');
      expect(await summarizer().summarize(whole)).toContain('## Storage');
    });

    it('refuses a longer text instead of cutting it', async () => {
      const tooLong = '## Storage\n'.padEnd(maxSummarized(summarizer()) + 1, 'a');
      await expect(summarizer().summarize(tooLong)).rejects.toBeInstanceOf(ModelCallError);
    });
  });
}

const NOTES =
  '## Storage\nUse WAL mode.\nIt was slow on Monday.\n\n## API\nAnswer in JSON.\nOr not.';

interface ModelSuite<Port> {
  readonly start: Start<Port>;
  /** A call that succeeds while the model works. */
  readonly call: (port: Port) => Promise<unknown>;
}

/** Declares the tests that all language model ports share, with a fresh subject for each test. */
function describeModel<Port extends { isAvailable?(): boolean }>(
  title: string,
  { start, call }: ModelSuite<Port>,
  declare: (port: () => Port) => void,
): void {
  describe(title, () => {
    let subject: LanguageModelSubject<Port>;
    beforeEach(async () => {
      subject = await start();
    });

    it('is available', () => {
      expect(subject.port.isAvailable?.() ?? true).toBe(true);
    });

    declare(() => subject.port);

    it('throws a ModelCallError while the model fails, and works again afterwards', async () => {
      subject.breakDown();
      await expect(call(subject.port)).rejects.toBeInstanceOf(ModelCallError);
      subject.recover();
      await expect(call(subject.port)).resolves.not.toHaveLength(0);
    });
  });
}
