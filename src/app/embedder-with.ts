import type { Embedder } from '../ports/driven/embedder.js';

/** An embedder that embeds in another way, and is the given one in everything else. */
export function embedderWith(
  embedder: Embedder,
  embedding: Partial<Pick<Embedder, 'embed' | 'embedBatch'>>,
): Embedder {
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    isReady: () => embedder.isReady(),
    status: () => embedder.status(),
    load: (which) => embedder.load(which),
    embed: (text, signal) => embedder.embed(text, signal),
    embedBatch: (texts) => embedder.embedBatch(texts),
    close: () => embedder.close(),
    ...embedding,
  };
}
