import type { Reply } from './model-endpoint.js';
import { json } from './model-endpoint-replies.js';

/** Sound vectors in OpenAI's shape, which depend on the text alone; last text first, as an endpoint may. */
export const embeddings: Reply = (response, request) => {
  const texts = request.body['input'] as readonly string[];
  const data = texts.map((text, index) => ({ index, embedding: embeddingOf(text) }));
  return json({ object: 'list', data: data.toReversed() })(response, request);
};

/** The same, of what a function makes of each vector. */
export function oddEmbeddings(make: (vector: readonly number[]) => unknown): Reply {
  return (response, request) => {
    const texts = request.body['input'] as readonly string[];
    const data = texts.map((text, index) => ({ index, embedding: make(embeddingOf(text)) }));
    return json({ data })(response, request);
  };
}

/** Three units long, so that a client has to scale it. */
export function embeddingOf(text: string): readonly number[] {
  let hash = 7;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash, 31) + text.charCodeAt(i);
  const values = Array.from({ length: 384 }, (_, i) => Math.sin(hash + i * (hash % 97)));
  const length = Math.hypot(...values);
  return values.map((value) => (3 * value) / length);
}
