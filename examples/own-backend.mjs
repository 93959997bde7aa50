// @ts-check
/**
 * Replaces the transformer model with a custom embedder:
 *
 *   node examples/own-backend.mjs [project] [query]
 *
 * This one is a toy: it counts words and knows a few synonyms. A real one would call your own model. Its
 * vectors may have any number of values, 768 for example, as long as it is always the same.
 */
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKnowledgeStore, EMBEDDING_DIMENSIONS } from 'knowledge-store';
import { projectFromArguments } from './small-project.mjs';

/** @type {Readonly<Record<string, string>>} */
const MEANINGS = { automobile: 'car', vehicle: 'car', lubricant: 'oil', tires: 'tyres' };

/**
 * @import { Embedder } from 'knowledge-store'
 * @implements {Embedder}
 */
class WordEmbedder {
  /** Stored with each vector. Vectors with another name are ignored, so a new version needs a new name. */
  model = 'example/words-1';
  dimensions = EMBEDDING_DIMENSIONS;

  isReady() {
    return true;
  }

  /** @param {string} text */
  async embed(text) {
    const vector = new Float32Array(EMBEDDING_DIMENSIONS);
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
      vector[dimensionOf(MEANINGS[word] ?? word)] = 1;
    }
    const length = Math.hypot(...vector);
    return length === 0 ? vector.fill(1 / Math.sqrt(vector.length)) : vector.map((x) => x / length);
  }

  /** @param {readonly string[]} texts */
  embedBatch(texts) {
    return Promise.all(texts.map((text) => this.embed(text)));
  }
}

/** @param {string} word */
function dimensionOf(word) {
  let hash = 0;
  for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % EMBEDDING_DIMENSIONS;
}

const project = await projectFromArguments();
const query = process.argv[3] ?? 'lubricant for my automobile';

const { store, embedder, stop } = createKnowledgeStore({
  appDir: process.env['KNOWLEDGE_APP_DIR'],
  backends: { embedder: new WordEmbedder() },
});
try {
  await store.reindex(project.path);
  while ((await store.getEmbeddingStatus(project.path)).pending > 0) await sleep(20);

  // No chunk contains a word of the default query, so only the vectors can find one: use the union.
  const { results, retrievalMode } = await store.search(project.path, query, {
    candidates: 'union',
    maxResults: 1,
  });
  console.log(`${retrievalMode}: ${results[0]?.chunk.id}  ${results[0]?.chunk.heading ?? ''}`);

  // The same embedder is available for other purposes.
  const car = await embedder.embed('a new car');
  const vehicle = await embedder.embed('a new vehicle');
  console.log(`Cosine of two texts: ${embedder.cosineSimilarity(car, vehicle).toFixed(2)}`);
} finally {
  await stop();
  await project.remove();
}
