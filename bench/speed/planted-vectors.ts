import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { normalize, type Vector } from '../../src/domain/ranking/vector.js';
import type { EmbeddingModel } from '../../src/ports/embedder.js';
import { generator } from '../quality/statistics.js';

const DIMENSIONS = 384;
const random = generator(1);

export function someVector(): Vector {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  return normalize(vector) ?? vector;
}

/** Gives every chunk of a database some vector. The cost of a search does not depend on the values. */
export function plantVectors(database: string, model: string): void {
  const db = openDatabase(database, { timeout: 15_000 });
  const ids = db.prepare<[], string>('SELECT id FROM chunks').pluck().all();
  const insert = db.prepare(
    "INSERT OR IGNORE INTO embeddings VALUES (?, ?, ?, '2026-01-01T00:00:00.000Z')",
  );
  db.transaction(() => {
    for (const id of ids) insert.run(id, Buffer.from(someVector().buffer), model);
  })();
  db.close();
}

/** Returns any vector for any text at no cost, so that only the work with vectors is measured. */
export function plantedEmbedder(model: string): EmbeddingModel {
  return {
    model,
    dimensions: DIMENSIONS,
    isReady: () => true,
    status: () => ({ state: 'ready' }),
    load: () => undefined,
    embed: async () => someVector(),
    embedBatch: async (texts) => texts.map(someVector),
    close: async () => undefined,
  };
}
