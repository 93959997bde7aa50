// @ts-check
/**
 * A vector index of your own, over the chunks of any store:
 *
 *   node examples/own-vector-index.mjs
 *
 * This one keeps vectors in a Map and compares with all of them. A real one would use a library or a
 * service for vectors.
 */
import { realpathSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { cosineSimilarity, createKnowledgeStore, normalized } from 'knowledge-store';
import { projectFromArguments } from './small-project.mjs';

/**
 * @import { ChunkFilter, EmbeddableText, EmbeddableTexts, Vector, VectorEntry, VectorIndex } from 'knowledge-store'
 * @implements {VectorIndex}
 */
export class MapVectorIndex {
  /** @type {Map<string, { readonly text: string, readonly vector: Vector }>} */
  #stored = new Map();
  #texts;
  #dimensions;

  /**
   * @param {EmbeddableTexts} texts what the store knows of its chunks
   * @param {number} dimensions
   */
  constructor(texts, dimensions) {
    this.#texts = texts;
    this.#dimensions = dimensions;
  }

  /** @param {readonly VectorEntry[]} entries */
  async put(entries) {
    const present = await this.#texts.of(entries.map(({ chunkId }) => chunkId));
    const textOf = new Map(present.map((chunk) => [chunk.chunkId, keyOf(chunk)]));
    const complete = await this.#current();
    let stored = 0;
    for (const entry of entries) {
      const text = keyOf(entry);
      const vector =
        entry.vector.length === this.#dimensions ? normalized(entry.vector) : undefined;
      if (vector === undefined || textOf.get(entry.chunkId) !== text) continue;
      if (complete.has(entry.chunkId)) continue;
      this.#stored.set(entry.chunkId, { text, vector });
      stored += 1;
    }
    return stored;
  }

  /** @param {readonly string[]} chunkIds */
  async vectorsOf(chunkIds) {
    const vectors = await this.#current();
    return new Map(Array.from(vectors).filter(([id]) => chunkIds.includes(id)));
  }

  /**
   * @param {Vector} query
   * @param {readonly string[]} chunkIds
   */
  async similarities(query, chunkIds) {
    const vectors = await this.#comparableTo(query);
    const known = chunkIds.filter((id) => vectors.has(id));
    return new Map(known.map((id) => [id, cosineSimilarity(query, vectors.get(id) ?? query)]));
  }

  /**
   * @param {Vector} query
   * @param {ChunkFilter} filter
   * @param {number} limit
   */
  async nearest(query, filter, limit) {
    const vectors = await this.#comparableTo(query);
    const allowed = await this.#texts.matching([...vectors.keys()], filter);
    return [...vectors]
      .filter(([chunkId]) => allowed.has(chunkId))
      .map(([chunkId, vector]) => ({ chunkId, cosine: cosineSimilarity(query, vector) }))
      .sort((a, b) => b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
  }

  /** @param {Vector} query */
  async cosineStatistics(query) {
    const vectors = [...(await this.#comparableTo(query)).values()];
    const cosines = vectors.map((vector) => cosineSimilarity(query, vector));
    const mean = average(cosines);
    return { mean, deviation: Math.sqrt(average(cosines.map((cosine) => (cosine - mean) ** 2))) };
  }

  /** @param {number} limit */
  async pending(limit) {
    const vectors = await this.#current();
    const texts = await this.#texts.all();
    return texts.filter(({ chunkId }) => !vectors.has(chunkId)).slice(0, limit);
  }

  async status() {
    const complete = (await this.#current()).size;
    return { complete, pending: (await this.#texts.countChunks()) - complete };
  }

  /**
   * Nothing is similar to a query that is zero, not finite or of another dimension.
   * @param {Vector} query
   */
  async #comparableTo(query) {
    const isVector = query.length === this.#dimensions && normalized(query) !== undefined;
    return isVector ? this.#current() : new Map();
  }

  /**
   * The vectors of the chunks as they are now. A chunk may have been deleted or changed since its vector was
   * stored, or its text may have moved to another place in its file, where the vector is still right.
   */
  async #current() {
    const texts = await this.#texts.all();
    const left = new Map(this.#stored);
    const current = new Map();
    for (const chunk of texts) {
      const own = left.get(chunk.chunkId);
      if (own?.text !== keyOf(chunk)) continue;
      current.set(chunk.chunkId, own);
      left.delete(chunk.chunkId);
    }
    for (const chunk of texts.filter(({ chunkId }) => !current.has(chunkId))) {
      const moved = [...left].find(
        ([id, { text }]) => text === keyOf(chunk) && fileOf(id) === fileOf(chunk.chunkId),
      );
      if (moved === undefined) continue;
      current.set(chunk.chunkId, moved[1]);
      left.delete(moved[0]);
    }
    this.#stored = current;
    return new Map([...current].map(([id, { vector }]) => [id, vector]));
  }
}

/** @param {EmbeddableText} chunk */
function keyOf({ texts }) {
  return JSON.stringify(texts);
}

/** @param {string} chunkId */
function fileOf(chunkId) {
  return chunkId.slice(0, chunkId.lastIndexOf('#'));
}

/** @param {readonly number[]} values */
function average(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

if (realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const project = await projectFromArguments();
  const { store, embedder, stop } = createKnowledgeStore({
    appDir: process.env['KNOWLEDGE_APP_DIR'],
    backends: { vectors: (texts) => new MapVectorIndex(texts, 384) },
  });
  try {
    await store.reindex(project.path);
    const { pending } = await store.getEmbeddingStatus(project.path);
    console.log(
      `${pending} chunks wait for a vector; the model is ${embedder.isReady() ? '' : 'not '}loaded.`,
    );
  } finally {
    await stop();
    await project.remove();
  }
}
