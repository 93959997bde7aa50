import { ModelCallError } from '../../domain/errors.js';
import { SUMMARY_TEXT_MAX_CHARACTERS } from '../../domain/limits.js';
import type { Clock } from '../../ports/clock.js';
import type { LessonExtractor, QuestionGenerator, Summarizer } from '../../ports/language-model.js';
import type { Metrics, ModelTask } from '../../ports/metrics.js';
import type { ReplaceablePorts } from '../config/options.js';
import { checkMethods } from './replaceable-ports.js';

/** Each reports the calls of a language model, and adds what a custom port leaves out. @throws ConfigError */

export function measuredGenerator(
  generator: ReplaceablePorts['questionGenerator'],
  ...measuring: Measuring
): QuestionGenerator {
  checkMethods('questionGenerator', generator);
  return {
    isAvailable: () => generator.isAvailable?.() ?? true,
    generateQuestions: (text) =>
      measured('questions', () => generator.generateQuestions(text), measuring),
  };
}

export function measuredSummarizer(
  summarizer: ReplaceablePorts['summarizer'],
  ...measuring: Measuring
): Summarizer {
  checkMethods('summarizer', summarizer);
  return {
    isAvailable: () => summarizer.isAvailable?.() ?? true,
    maxCharacters: summarizer.maxCharacters ?? SUMMARY_TEXT_MAX_CHARACTERS,
    summarize: (text) => measured('summary', () => summarizer.summarize(text), measuring),
  };
}

export function measuredExtractor(
  extractor: LessonExtractor,
  ...measuring: Measuring
): LessonExtractor {
  return {
    isAvailable: () => extractor.isAvailable(),
    extractLessons: (report) =>
      measured('lessons', () => extractor.extractLessons(report), measuring),
  };
}

type Measuring = readonly [metrics: Metrics, clock: Clock];

async function measured<T>(
  task: ModelTask,
  call: () => Promise<T>,
  [metrics, clock]: Measuring,
): Promise<T> {
  const begin = clock.monotonic();
  const seconds = () => (clock.monotonic() - begin) / 1000;
  try {
    const result = await call();
    metrics.modelCalled({ task, outcome: 'succeeded', seconds: seconds() });
    return result;
  } catch (error) {
    const outcome = error instanceof ModelCallError ? error.failure : 'unusable';
    metrics.modelCalled({ task, outcome, seconds: seconds() });
    throw error;
  }
}
