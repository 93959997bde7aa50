import { ChatClient } from '../../adapters/openai/chat-client.js';
import { NoLanguageModel } from '../../adapters/openai/no-language-model.js';
import { OpenAILessonExtractor } from '../../adapters/openai/openai-lesson-extractor.js';
import { OpenAIQuestionGenerator } from '../../adapters/openai/openai-question-generator.js';
import { OpenAISummarizer } from '../../adapters/openai/openai-summarizer.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { LessonExtractor } from '../../ports/driven/lesson-extractor.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';
import type { Config } from '../config.js';
import { CallLimiter } from '../enrichment/call-limiter.js';

/** The small language model in its three roles. */
export interface LanguageModel {
  readonly questions: QuestionGenerator;
  readonly summaries: Summarizer;
  readonly lessons: LessonExtractor;
  /** Ends calls in flight and background calls that wait their turn. */
  stop(): void;
}

/** @throws Error with one line that names the variable whose value cannot be used */
export function createLanguageModel({ languageModel }: Config, clock: Clock): LanguageModel {
  if (languageModel === undefined) {
    const none = new NoLanguageModel();
    return { questions: none, summaries: none, lessons: none, stop: () => undefined };
  }
  const limiter = new CallLimiter(clock);
  const background = new ChatClient({ ...languageModel, clock, admit: () => limiter.admit() });
  const awaited = new ChatClient({ ...languageModel, clock, admit: async () => limiter.record() });
  return {
    questions: new OpenAIQuestionGenerator(background),
    summaries: new OpenAISummarizer(awaited),
    lessons: new OpenAILessonExtractor(awaited),
    stop: () => {
      limiter.stop();
      background.stop();
      awaited.stop();
    },
  };
}
