import { headOf } from '../../domain/chunks/text.js';
import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import { QUERY_MAX_CHARACTERS } from '../../domain/limits.js';
import { wantedTermsOf } from '../../domain/query/expression.js';
import type { Query } from '../../domain/query/query.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import { inTime } from '../in-time.js';
import { rememberingQueries } from './remembering-queries.js';
import type { RetrievalRequest } from './retriever.js';

export interface QueryEmbeddingOptions {
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The vector of a query, which must not be changed, or a sentence that says why there is none. */
type QueryVector = { readonly vector: Vector } | NoQueryVector;

export interface NoQueryVector {
  readonly reason: string;
  readonly isModelLoading?: boolean;
}

/** Embeds queries for searches, which do not wait long and do not fail because of the model. */
export class QueryEmbedding {
  readonly #options: QueryEmbeddingOptions;

  constructor(options: QueryEmbeddingOptions) {
    this.#options = { ...options, embedder: rememberingQueries(options.embedder) };
  }

  /** Waits for up to `queryVectorTimeoutMs`, but never for the model to load. Never rejects. */
  async vectorFor({ query, text, settings }: RetrievalRequest): Promise<QueryVector> {
    if (!settings.hybridRetrieval) return { reason: 'The setting hybridRetrieval is false.' };
    if (!this.#options.embedder.isReady()) return this.#notReady();
    const embedded = headOf(embeddedTextOf(query, text), QUERY_MAX_CHARACTERS);
    return this.#embed(embedded, settings.queryVectorTimeoutMs);
  }

  #notReady(): QueryVector {
    const { embedder } = this.#options;
    embedder.load();
    const { state } = embedder.status();
    const reason = `The embedding model is not ready (${state}).`;
    return state === 'loading' ? { reason, isModelLoading: true } : { reason };
  }

  async #embed(text: string, timeoutMs: number): Promise<QueryVector> {
    const { embedder, clock } = this.#options;
    try {
      const vector = await inTime(clock, timeoutMs, (signal) => embedder.embed(text, signal));
      const reason = `The query was not embedded within ${timeoutMs} ms.`;
      return vector === undefined ? { reason } : { vector };
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): QueryVector {
    if (error instanceof KnowledgeError && error.code === 'overloaded') {
      return { reason: 'Too many queries are waiting for the embedding model.' };
    }
    this.#options.logger.warn('A query could not be embedded.', { reason: reasonOf(error) });
    return { reason: 'The embedding model failed.' };
  }
}

/** The text to embed: of a structured query, the terms without operators, which mean nothing to the model. */
function embeddedTextOf(query: Query, text: string): string {
  if (query.kind === 'plain') return text;
  return wantedTermsOf(query.expression)
    .map((term) => term.text)
    .join(' ');
}
