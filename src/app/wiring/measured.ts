import { ModelCallError } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { LessonExtractor } from '../../ports/driven/lesson-extractor.js';
import type { Metrics, ModelTask } from '../../ports/driven/metrics.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';
import type { Retriever } from '../search/retriever.js';

/** What a measured part needs besides itself. */
export interface Measuring {
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Reports each search that a retriever answers. */
export function measuredRetriever(retriever: Retriever, { metrics, clock }: Measuring): Retriever {
  return {
    retrieve: async (project, request) => {
      const begin = clock.monotonic();
      const retrieved = await retriever.retrieve(project, request);
      const seconds = (clock.monotonic() - begin) / 1000;
      metrics.searched({ mode: retrieved.mode, seconds, candidates: retrieved.ranked.length });
      return retrieved;
    },
  };
}

/** Reports each call of a question generator. */
export function measuredQuestions(
  questions: QuestionGenerator,
  measuring: Measuring,
): QuestionGenerator {
  return {
    isAvailable: () => questions.isAvailable(),
    generateQuestions: (text) =>
      measured('questions', () => questions.generateQuestions(text), measuring),
  };
}

/** Reports each call of a summarizer. */
export function measuredSummarizer(summarizer: Summarizer, measuring: Measuring): Summarizer {
  return {
    isAvailable: () => summarizer.isAvailable(),
    maxCharacters: summarizer.maxCharacters,
    summarize: (text) => measured('summary', () => summarizer.summarize(text), measuring),
  };
}

/** Reports each call of a lesson extractor. */
export function measuredLessons(lessons: LessonExtractor, measuring: Measuring): LessonExtractor {
  return {
    isAvailable: () => lessons.isAvailable(),
    extractLessons: (report) =>
      measured('lessons', () => lessons.extractLessons(report), measuring),
  };
}

/** Reports what an embedder embeds. */
export function measuredEmbedder(embedder: Embedder, { metrics, clock }: Measuring): Embedder {
  const timed = async <T>(kind: 'query' | 'batch', texts: number, embed: () => Promise<T>) => {
    const begin = clock.monotonic();
    metrics.embeddingWaits('begins');
    const vectors = await embed().finally(() => metrics.embeddingWaits('ends'));
    metrics.embedded({ kind, texts, seconds: (clock.monotonic() - begin) / 1000 });
    return vectors;
  };
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    isReady: () => embedder.isReady(),
    status: () => embedder.status(),
    load: (which) => embedder.load(which),
    embed: (text, signal) => timed('query', 1, () => embedder.embed(text, signal)),
    embedBatch: (texts) => timed('batch', texts.length, () => embedder.embedBatch(texts)),
    close: () => embedder.close(),
  };
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
