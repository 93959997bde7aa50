import { headOf } from '../../domain/chunks/text.js';
import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import { QUERY_MAX_CHARACTERS } from '../../domain/limits.js';
import { wantedTermsOf } from '../../domain/query/expression.js';
import type { Query } from '../../domain/query/query.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import { QueryVectors } from './query-vectors.js';
import type { RetrievalRequest } from './retriever.js';

export interface QueryEmbeddingOptions {
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The vector of a query, or a sentence that says why there is none. */
export type QueryVector =
  | { readonly vector: Vector }
  | { readonly reason: string; readonly isModelLoading?: boolean };

/** Embeds queries for searches, which do not wait long and do not fail because of the model. */
export class QueryEmbedding {
  readonly #options: QueryEmbeddingOptions;
  readonly #vectors: QueryVectors;

  constructor(options: QueryEmbeddingOptions) {
    this.#options = options;
    this.#vectors = new QueryVectors(options.embedder);
  }

  /** Waits for up to `queryVectorTimeoutMs`, but never for the model to load. Never rejects. */
  async vectorFor({ query, text, settings }: RetrievalRequest): Promise<QueryVector> {
    const { embedder, clock } = this.#options;
    if (!settings.hybridRetrieval) return { reason: 'The setting hybridRetrieval is false.' };
    if (!embedder.isReady()) return this.#notReady();
    const waiting = new AbortController();
    const tooLate = clock
      .sleep(settings.queryVectorTimeoutMs, waiting.signal)
      .then(() => ({ reason: noVectorWithin(settings.queryVectorTimeoutMs) }));
    try {
      const textToEmbed = headOf(embeddedTextOf(query, text), QUERY_MAX_CHARACTERS);
      const embedding = this.#vectors.of(textToEmbed, waiting.signal);
      return await Promise.race([embedding.then((vector) => ({ vector })), tooLate]);
    } catch (error) {
      return this.#failed(error);
    } finally {
      // After a timeout, the abandoned call must not delay other queries.
      waiting.abort();
    }
  }

  #notReady(): QueryVector {
    const { embedder } = this.#options;
    embedder.load();
    const { state } = embedder.status();
    const reason = `The embedding model is not ready (${state}).`;
    return state === 'loading' ? { reason, isModelLoading: true } : { reason };
  }

  #failed(error: unknown): QueryVector {
    if (error instanceof KnowledgeError && error.code === 'overloaded') {
      return { reason: 'Too many queries are waiting for the embedding model.' };
    }
    this.#options.logger.warn('A query could not be embedded.', { reason: reasonOf(error) });
    return { reason: 'The embedding model failed.' };
  }
}

function noVectorWithin(timeoutMs: number): string {
  return `The query was not embedded within ${timeoutMs} ms.`;
}

/** The text to embed: of a structured query, the terms without operators, which mean nothing to the model. */
function embeddedTextOf(query: Query, text: string): string {
  if (query.kind === 'plain') return text;
  return wantedTermsOf(query.expression)
    .map((term) => term.text)
    .join(' ');
}
