import { CALIBRATION_PAIRS } from '../../src/domain/ranking/calibration-pairs.js';
import { type CosineScale, cosineScaleOf } from '../../src/domain/ranking/cosine-scale.js';
import { normalized, type Vector } from '../../src/domain/ranking/vector.js';
import type { Collection, CollectionQuery } from './collection.js';
import { loadRealEmbedder } from './real-embedder.js';

/**
 * A model whose cosines are high for everything, as those of e5, bge and gte: the vectors of the real one, mixed with a
 * constant one. Two texts without anything in common have about .8.
 */
export function asStandIn(collection: Collection): Collection {
  const { documents, queries } = collection;
  return { ...collection, documents: documents.map(mixedIn), queries: queries.map(mixedIn) };
}

export function mixedIn<T extends Pick<CollectionQuery, 'vector'>>(item: T): T {
  return item.vector === undefined ? item : { ...item, vector: mixed(item.vector) };
}

/** As the service measures it. */
export async function scaleOfStandIn(): Promise<CosineScale | undefined> {
  const embedder = await loadRealEmbedder();
  const embedAll = async (texts: readonly string[]) =>
    (await embedder.embedBatch(texts)).map(mixed);
  const questions = await embedAll(CALIBRATION_PAIRS.map(([question]) => question));
  const answers = await embedAll(CALIBRATION_PAIRS.map(([, answer]) => answer));
  await embedder.close();
  return cosineScaleOf(questions, answers);
}

const SHARE_OF_CONSTANT = 2;

function mixed(vector: Vector): Vector {
  const constant = normalized(vector.map((_, i) => Math.sin(i * i + 1))) ?? vector;
  const sum = vector.map((value, i) => value + SHARE_OF_CONSTANT * (constant[i] ?? 0));
  return normalized(sum) ?? vector;
}
