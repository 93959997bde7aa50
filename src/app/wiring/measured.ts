import { ModelCallError } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Metrics, ModelTask } from '../../ports/driven/metrics.js';
import type { CorePorts } from '../core-ports.js';
import { embedderWith } from '../embedder-with.js';

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

/** Reports what an embedder embeds. */
export function measuredEmbedder(embedder: Embedder, { metrics, clock }: Measuring): Embedder {
  const timed = async <T>(kind: 'query' | 'batch', texts: number, embed: () => Promise<T>) => {
    const begin = clock.monotonic();
    metrics.embeddingWaits('begins');
    const vectors = await embed().finally(() => metrics.embeddingWaits('ends'));
    metrics.embedded({ kind, texts, seconds: (clock.monotonic() - begin) / 1000 });
    return vectors;
  };
  return embedderWith(embedder, {
    embed: (text, signal) => timed('query', 1, () => embedder.embed(text, signal)),
    embedBatch: (texts) => timed('batch', texts.length, () => embedder.embedBatch(texts)),
  });
}

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
