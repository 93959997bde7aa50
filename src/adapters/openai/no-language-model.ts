import { ModelCallError } from '../../domain/errors.js';
import type { Learning } from '../../domain/lessons/learning.js';
import type { LessonExtractor } from '../../ports/driven/lesson-extractor.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';

/** Stands where no endpoint is set: never available, and every call fails as `not_configured`. */
export class NoLanguageModel implements QuestionGenerator, Summarizer, LessonExtractor {
  readonly maxCharacters = 40_000;

  isAvailable(): boolean {
    return false;
  }

  async generateQuestions(): Promise<readonly string[]> {
    throw notConfigured();
  }

  async summarize(): Promise<string> {
    throw notConfigured();
  }

  async extractLearnings(): Promise<readonly Learning[]> {
    throw notConfigured();
  }
}

function notConfigured(): ModelCallError {
  return new ModelCallError(
    'not_configured',
    'No language model is set; set OPENAI_BASE_URL and OPENAI_MODEL.',
  );
}
