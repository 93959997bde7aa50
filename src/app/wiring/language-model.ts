import { ChatClient } from '../../adapters/openai/chat-client.js';
import {
  lessonExtractor,
  questionGenerator,
  summarizer,
} from '../../adapters/openai/language-model.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { LessonExtractor } from '../../ports/driven/lesson-extractor.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';
import type { Config } from '../config/config.js';
import { CallLimiter } from '../enrichment/call-limiter.js';
import { noLanguageModel } from './null-objects.js';

/** The small language model in its three roles. */
export interface LanguageModel {
  readonly questions: QuestionGenerator;
  readonly summarizer: Summarizer;
  readonly lessons: LessonExtractor;
  /** Ends calls in flight and background calls that wait for the rate limit. */
  stop(): void;
}

export function createLanguageModel({ languageModel }: Config, clock: Clock): LanguageModel {
  if (languageModel === undefined) {
    return {
      questions: noLanguageModel,
      summarizer: noLanguageModel,
      lessons: noLanguageModel,
      stop: () => undefined,
    };
  }
  const limiter = new CallLimiter(clock);
  const background = new ChatClient({ ...languageModel, clock, admit: () => limiter.admit() });
  const awaited = new ChatClient({ ...languageModel, clock, admit: async () => limiter.record() });
  return {
    questions: questionGenerator(background),
    summarizer: summarizer(awaited),
    lessons: lessonExtractor(awaited),
    stop: () => {
      limiter.stop();
      background.stop();
      awaited.stop();
    },
  };
}
