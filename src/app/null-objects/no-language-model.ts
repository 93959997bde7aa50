import { ModelCallError } from '../../domain/errors.js';
import type { LessonExtractor } from '../../ports/driven/lesson-extractor.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';

/** Null object used when no endpoint is configured. Never available; every call fails with `not_configured`. */
export const noLanguageModel: QuestionGenerator & Summarizer & LessonExtractor = {
  maxCharacters: 40_000,
  isAvailable: () => false,
  generateQuestions: async () => notConfigured(),
  summarize: async () => notConfigured(),
  extractLessons: async () => notConfigured(),
};

function notConfigured(): never {
  throw new ModelCallError('not_configured', 'No small language model is configured.');
}
