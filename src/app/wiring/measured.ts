import { ModelCallError } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Metrics, ModelTask } from '../../ports/driven/metrics.js';
import type { CorePorts } from '../core-ports.js';

/** What a measured part needs besides itself. */
export interface Measuring {
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Reports each call of a language model. What is wrapped does not know it. */
export function measuredModel(
  { questions, summarizer, lessons }: LanguageModel,
  measuring: Measuring,
): LanguageModel {
  const call = <T>(task: ModelTask, work: () => Promise<T>) => measured(task, work, measuring);
  return {
    questions: {
      isAvailable: () => questions.isAvailable(),
      generateQuestions: (text) => call('questions', () => questions.generateQuestions(text)),
    },
    summarizer: {
      isAvailable: () => summarizer.isAvailable(),
      maxCharacters: summarizer.maxCharacters,
      summarize: (text) => call('summary', () => summarizer.summarize(text)),
    },
    lessons: {
      isAvailable: () => lessons.isAvailable(),
      extractLessons: (report) => call('lessons', () => lessons.extractLessons(report)),
    },
  };
}

/** The small language model in its three roles. */
export type LanguageModel = Pick<CorePorts, 'questions' | 'summarizer' | 'lessons'>;

async function measured<T>(
  task: ModelTask,
  call: () => Promise<T>,
  { metrics, clock }: Measuring,
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
