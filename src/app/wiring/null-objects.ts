import { KnowledgeError, ModelCallError } from '../../domain/errors.js';
import { EMBEDDING_DIMENSIONS, SUMMARY_TEXT_MAX_CHARACTERS } from '../../domain/limits.js';
import { REFERENCE_SCALE } from '../../domain/ranking/cosine-scale.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type {
  LessonExtractor,
  QueryRewriter,
  QuestionGenerator,
  Summarizer,
} from '../../ports/language-model.js';
import type { Metrics } from '../../ports/metrics.js';
import type { PageFetcher } from '../../ports/page-fetcher.js';
import type { ProjectHistory } from '../../ports/project-directories.js';
import type { RelevanceScales } from '../../ports/relevance-scales.js';
import type { SourceWatcher } from '../../ports/source-watcher.js';
import { FIELDS } from '../config/fields.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import { noRefusals } from '../enrichment/refused-texts.js';

/**
 * Null object used if there is no usable model. Never ready; every call fails with `model_unavailable` and the reason
 * at that time.
 */
export function noEmbedder(model: string, failure = () => NO_MODEL): EmbeddingModel {
  return {
    model,
    dimensions: EMBEDDING_DIMENSIONS,
    isReady: () => false,
    status: () => ({ state: 'absent', failure: failure() }),
    load: () => undefined,
    embed: async () => unavailable(failure()),
    embedBatch: async (texts) => (texts.length === 0 ? [] : unavailable(failure())),
    close: async () => undefined,
  };
}

function unavailable(failure: string): never {
  throw new KnowledgeError('model_unavailable', failure);
}

const NO_MODEL = 'This variant has no embedding model; use the hybrid variant.';

/** Null object used when no endpoint is configured. Never available; every call fails with `not_configured`. */
export const noLanguageModel: QuestionGenerator & QueryRewriter & Summarizer & LessonExtractor = {
  maxCharacters: SUMMARY_TEXT_MAX_CHARACTERS,
  isAvailable: () => false,
  generateQuestions: async () => notConfigured(),
  rewriteQuery: async () => notConfigured(),
  summarize: async () => notConfigured(),
  extractLessons: async () => notConfigured(),
};

function notConfigured(): never {
  throw new ModelCallError('not_configured', 'No small language model is configured.');
}

/** Null object for programs that use the library. Leaves no trace of their projects. */
export const noProjectHistory: ProjectHistory = { remember: () => undefined, list: () => [] };

/** Null object for variants without background work. Does nothing. */
export const noEnrichment: Enrichment = {
  workOn: () => ({
    schedule: () => undefined,
    isRunning: false,
    isRetrying: false,
    refusals: noRefusals(),
    stop: async () => undefined,
  }),
  stop: () => undefined,
};

/** Null object used unless fetching is allowed. Every call fails with `fetch_not_allowed`. */
export const noPageFetcher: PageFetcher = {
  fetch: async () => {
    throw new KnowledgeError(
      'fetch_not_allowed',
      `Fetching web pages is off. To turn it on for one command: ${FIELDS.fetch.variable}=1 knowledge-store page <url>; for a service, set ${FIELDS.fetch.variable}=1; in a program, set the option fetch to "allowed".`,
    );
  },
};

/** Null object that watches nothing: projects are indexed only on request. */
export const noSourceWatcher: SourceWatcher = {
  isProject: () => false,
  watch: () => ({ changes: async () => [] }),
};

/** Relevance scales for the reference model, and for models that are not measured. */
export const referenceScales: RelevanceScales = {
  read: async () => REFERENCE_SCALE,
  save: async () => undefined,
};

/** Null object that counts nothing. */
export const noMetrics: Metrics = {
  searched: () => undefined,
  modelCalled: () => undefined,
  retried: () => undefined,
  embeddingWaits: () => undefined,
  embedded: () => undefined,
};
