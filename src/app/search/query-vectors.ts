import { errorReason, KnowledgeError } from '../../domain/errors.js';
import { QUERY_MAX_CHARACTERS, QUERY_VECTORS_KEPT } from '../../domain/limits.js';
import { allTerms } from '../../domain/query/expression.js';
import type { Query } from '../../domain/query/query.js';
import type { CosineScale } from '../../domain/ranking/cosine-scale.js';
import type { Vector } from '../../domain/ranking/vector.js';
import { takeHead } from '../../domain/text.js';
import type { Clock } from '../../ports/clock.js';
import type { Embedder, EmbedderStatus, EmbeddingModel } from '../../ports/embedder.js';
import type { Logger } from '../../ports/logger.js';
import type { RelevanceScales } from '../../ports/relevance-scales.js';
import { withTimeout } from '../../shared/concurrency.js';
import { type Measuring, measureEmbedding } from '../measured-calls.js';
import type { ModeReason, RetrievalRequest } from './retrieval.js';

interface QueryVectorsDeps {
  readonly embedder: EmbeddingModel;
  readonly queryEmbeddings: Pick<QueryEmbeddings, 'of'>;
  readonly relevanceScales: Pick<RelevanceScales, 'read'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The vector of a query, which must not be changed, and the scale of its cosines; or why there is no vector. */
type QueryVector =
  | { readonly vector: Vector; readonly scale: CosineScale | undefined }
  | ModeReason;

/** Embeds queries for searches, which must neither wait long nor fail because of the model. */
export class QueryVectors {
  readonly #deps: QueryVectorsDeps;
  #measured: CosineScale | undefined;
  #refusal: { readonly at: number; readonly why: ModeReason } | undefined;

  constructor(deps: QueryVectorsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the vector of a query. Waits for up to `queryVectorTimeoutMs`, but never for the model to load; a late
   * vector is cached for the next search. Never rejects.
   */
  async vectorFor(request: RetrievalRequest): Promise<QueryVector> {
    const { embedder, queryEmbeddings, clock } = this.#deps;
    const { settings } = request;
    if (!settings.hybridRetrieval) return { modeReason: 'The setting hybridRetrieval is false.' };
    if (!embedder.isReady()) return this.#notReady();
    const timeoutMs = settings.queryVectorTimeoutMs;
    try {
      const found =
        request.vector ??
        (await withTimeout(clock, timeoutMs, () => queryEmbeddings.of(embeddedText(request))));
      return found === undefined
        ? {
            modeReason: `The embedding model took longer than ${timeoutMs} ms for this query.`,
            lacks: 'vectors',
          }
        : { vector: found, scale: await this.#scale() };
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Says why the model is not ready. Asks the embedder at most once a second, because it may look for files. */
  #notReady(): ModeReason {
    const { embedder, clock } = this.#deps;
    const now = clock.monotonic();
    if (this.#refusal && now - this.#refusal.at < ASK_EVERY_MS) return this.#refusal.why;
    const before = embedder.status().state;
    embedder.load();
    const state = before === 'idle' ? embedder.status().state : before;
    const why = { modeReason: NOT_READY[state], ...LACKING[state] };
    this.#refusal = { at: now, why };
    return why;
  }

  /** The scale of the model's cosines; undefined until it is measured, which happens once for each model. */
  async #scale(): Promise<CosineScale | undefined> {
    const { embedder, relevanceScales } = this.#deps;
    this.#measured ??= await relevanceScales.read(embedder.model);
    return this.#measured;
  }

  #failed(error: unknown): ModeReason {
    if (error instanceof KnowledgeError && error.code === 'overloaded') {
      return {
        modeReason: 'Too many queries are waiting for the embedding model.',
        lacks: 'vectors',
      };
    }
    this.#deps.logger.warn('A query could not be embedded.', { reason: errorReason(error) });
    return { modeReason: 'The embedding model failed.', lacks: 'vectors' };
  }
}

const ASK_EVERY_MS = 1000;

const LACKING: Partial<Record<EmbedderStatus['state'], Pick<ModeReason, 'lacks'>>> = {
  absent: { lacks: 'model' },
  failed: { lacks: 'model' },
  loading: { lacks: 'vectors' },
};

const NOT_READY: Readonly<Record<EmbedderStatus['state'], string>> = {
  absent: 'No embedding model is installed.',
  failed: 'The embedding model could not be loaded.',
  idle: 'The embedding model is not loaded.',
  loading: 'The embedding model is still loading.',
  ready: 'The embedding model was not ready.',
};

function embeddedText({ query, text, also }: RetrievalRequest): string {
  const own = takeHead(understoodText(query, text), QUERY_MAX_CHARACTERS);
  return also === undefined ? own : `${own}\n${also}`;
}

/** The text of a query. For a structured query, without operators and quotes, which the model does not understand. */
function understoodText(query: Query, text: string): string {
  if (query.kind === 'plain') return text;
  return allTerms(query.expression)
    .map((term) => term.text)
    .join(' ');
}

interface QueryEmbeddingsDeps extends Measuring {
  readonly embedder: Pick<Embedder, 'embed'>;
}

/** Caches query vectors. All searches with one model share them: those of projects, and those of the user notes. */
export class QueryEmbeddings {
  readonly #deps: QueryEmbeddingsDeps;
  /** Vectors by text, including those in progress; least recently used first. */
  readonly #kept = new Map<string, Promise<Vector>>();

  constructor(deps: QueryEmbeddingsDeps) {
    this.#deps = deps;
  }

  /** The vector of a text, which must not be changed. @throws as {@link Embedder.embed} */
  of(text: string): Promise<Vector> {
    const vector = this.#kept.get(text) ?? this.#embed(text);
    this.#kept.delete(text);
    this.#kept.set(text, vector);
    const [oldest = ''] = this.#kept.keys();
    if (this.#kept.size > QUERY_VECTORS_KEPT) this.#kept.delete(oldest);
    return vector;
  }

  async #embed(text: string): Promise<Vector> {
    const { embedder } = this.#deps;
    try {
      const call = { kind: 'query', texts: 1 } as const;
      return await measureEmbedding(this.#deps, call, () => embedder.embed(text));
    } catch (error) {
      this.#kept.delete(text);
      throw error;
    }
  }
}
