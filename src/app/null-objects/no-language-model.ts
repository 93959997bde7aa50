import { ModelCallError } from '../../domain/errors.js';
import type { LessonExtractor } from '../../ports/driven/lesson-extractor.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';

/** Null object: stands where no endpoint is set. Never available, and every call fails as `not_configured`. */
export const noLanguageModel: QuestionGenerator & Summarizer & LessonExtractor = {
  maxCharacters: 40_000,
  isAvailable: () => false,
  generateQuestions: async () => notConfigured(),
  summarize: async () => notConfigured(),
  extractLessons: async () => notConfigured(),
};

function notConfigured(): never {
  throw new ModelCallError('not_configured', 'No small language model is set.');
}
