import type { EmbeddingModel } from '../../src/ports/embedder.js';
import type { VectorIndex } from '../../src/ports/vector-index.js';

interface Pending {
  /** The entries of these kinds have one text each. */
  readonly kind?: 'content' | 'headers';
  readonly limit: number;
}

/** Embeds at most `limit` pending texts and stores their vectors. */
export async function embedPending(
  vectors: VectorIndex,
  embedder: Pick<EmbeddingModel, 'embedBatch'>,
  { kind = 'content', limit }: Pending,
): Promise<void> {
  const pending = await vectors.pending(kind, limit);
  for (let from = 0; from < pending.length; from += BATCH) {
    const batch = pending.slice(from, from + BATCH);
    const made = await embedder.embedBatch(batch.flatMap(({ texts }) => texts));
    const entries = batch.flatMap((item, index) => {
      const vector = made[index];
      return vector === undefined ? [] : [{ ...item, vector }];
    });
    await vectors.put(kind, entries);
  }
}

const BATCH = 128;
