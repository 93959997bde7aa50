import { EMBEDDING_DIMENSIONS } from '../../domain/limits.js';
import { isStorable, normalize, type Vector } from '../../domain/ranking/vector.js';
import { isRecord } from '../../domain/records.js';
import type { Logger } from '../../ports/logger.js';

interface EmbeddingRepliesOptions {
  readonly model: string;
  readonly logger: Logger;
}

/** Reads the vectors of one model from replies, and knows the prompts of the model. */
export class EmbeddingReplies {
  /** Prefixes of queries and passages that the model's authors recommend. */
  readonly prompts: Prompts;
  readonly #options: EmbeddingRepliesOptions;
  readonly #canBeCut: boolean;
  #isCutReported = false;

  constructor(options: EmbeddingRepliesOptions) {
    this.#options = options;
    const known = LONGER_MODELS.find(({ name }) => name.test(options.model));
    this.#canBeCut = known !== undefined;
    this.prompts = known ?? NO_PROMPTS;
  }

  /** Returns the vectors, or a sentence that says why they cannot be used. */
  readVectors(reply: unknown, count: number): readonly Vector[] | string {
    const data = isRecord(reply) ? reply['data'] : undefined;
    if (!Array.isArray(data) || data.length !== count) {
      return `The reply does not contain exactly ${count} embeddings.`;
    }
    const vectors: Vector[] = [];
    for (const [place, entry] of data.entries()) {
      const { index = place, embedding } = isRecord(entry) ? entry : {};
      const vector = this.#readVector(embedding);
      if (typeof vector === 'string') return vector;
      vectors[Number(index)] = vector;
    }
    const missing = Array.from({ length: count }, (_, place) => vectors[place]).indexOf(undefined);
    return missing === -1
      ? vectors
      : `The reply has no embedding for the text at index ${missing}.`;
  }

  #readVector(values: unknown): Vector | string {
    if (!Array.isArray(values)) return 'An embedding is not a list of numbers.';
    const isLonger = values.length > EMBEDDING_DIMENSIONS;
    if (values.length !== EMBEDDING_DIMENSIONS && !(isLonger && this.#canBeCut)) {
      return `Its embeddings have ${values.length} values instead of ${EMBEDDING_DIMENSIONS}; ${FITTING_MODELS}.`;
    }
    if (isLonger) this.#reportCut(values.length);
    const isNumeric = values.every((value) => typeof value === 'number');
    const vector = Float32Array.from(isNumeric ? values.slice(0, EMBEDDING_DIMENSIONS) : []);
    if (isStorable(vector, EMBEDDING_DIMENSIONS)) return normalize(vector) ?? vector;
    return 'An embedding is zero or has values that are not finite.';
  }

  /** Logs once that embeddings are cut. */
  #reportCut(length: number): void {
    if (this.#isCutReported) return;
    this.#isCutReported = true;
    const { model, logger } = this.#options;
    const fields = { model, length, cutTo: EMBEDDING_DIMENSIONS };
    logger.info("The endpoint's embeddings are truncated, which the model supports.", fields);
  }
}

interface Prompts {
  readonly query: string;
  readonly passage: string;
}

const NO_PROMPTS: Prompts = { query: '', passage: '' };

/** Models whose vectors may be cut ("Matryoshka"), recognized by a part of their names. */
const LONGER_MODELS: readonly (Prompts & { readonly name: RegExp })[] = [
  {
    name: /nomic-embed-text(?!-v1(?!\.5))/i,
    query: 'search_query: ',
    passage: 'search_document: ',
  },
  {
    name: /qwen3-embedding/i,
    query:
      'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
    passage: '',
  },
  {
    name: /embedding-?gemma/i,
    query: 'task: search result | query: ',
    passage: 'title: none | text: ',
  },
];

const FITTING_MODELS = `choose a model with ${EMBEDDING_DIMENSIONS} values (all-minilm, bge-small, e5-small, gte-small), or one whose vectors can be cut (nomic-embed-text v1.5, qwen3-embedding, embeddinggemma)`;
