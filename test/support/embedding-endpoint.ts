import type { Reply } from './model-endpoint.js';
import { json } from './model-endpoint-replies.js';

/**
 * Replies with valid embeddings in OpenAI's format, which depend on the texts only. The last text comes first, as the
 * API allows.
 */
export const embeddings: Reply = (response, request) => {
  const texts = request.body['input'] as readonly string[];
  const data = texts.map((text, index) => ({ index, embedding: embeddingOf(text) }));
  return json({ object: 'list', data: data.toReversed() })(response, request);
};

/** Replies like `embeddings`, but changes each vector with a function. */
export function oddEmbeddings(make: (vector: readonly number[]) => unknown): Reply {
  return (response, request) => {
    const texts = request.body['input'] as readonly string[];
    const data = texts.map((text, index) => ({ index, embedding: make(embeddingOf(text)) }));
    return json({ data })(response, request);
  };
}

/** A vector of length 3, so that a client has to normalize it. */
export function embeddingOf(text: string): readonly number[] {
  let hash = 7;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash, 31) + text.charCodeAt(i);
  const values = Array.from({ length: 384 }, (_, i) => Math.sin(hash + i * (hash % 97)));
  const length = Math.hypot(...values);
  return values.map((value) => (3 * value) / length);
}
