import { checksumOf } from '../../domain/chunks/text.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { Metrics } from '../../ports/metrics.js';
import type { HeaderIndex, PendingHeader } from '../../ports/vector-index.js';
import { measuredEmbedding } from '../embedding-metrics.js';

interface HeaderWorkOptions {
  readonly embedder: EmbeddingModel;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Headers embedded at a time; they are short. */
const BATCH = 32;

/** Gives the headers of sources their vectors, some after each page of chunks. */
export class HeaderWork {
  readonly #options: HeaderWorkOptions;
  /** Checksums of what this process embedded: where another instance replaces it with a vector of its model, that one stays. */
  readonly #made = new Set<number>();

  constructor(options: HeaderWorkOptions) {
    this.#options = options;
  }

  async embedSome(headers: HeaderIndex): Promise<boolean> {
    const pending = await headers.pending(BATCH + this.#made.size);
    const batch = pending.filter((header) => this.#isWanted(header)).slice(0, BATCH);
    if (batch.length === 0) return false;
    const { embedder } = this.#options;
    const call = { kind: 'batch', texts: batch.length } as const;
    const embed = () => embedder.embedBatch(batch.map(({ text }) => text));
    const vectors = await measuredEmbedding(this.#options, call, embed);
    for (const header of batch) this.#made.add(keyOf(header));
    const entries = vectors.flatMap((vector, i) => {
      const header = batch[i];
      return header === undefined ? [] : [{ ...header, vector }];
    });
    await headers.put(entries);
    return true;
  }

  #isWanted(header: PendingHeader): boolean {
    return header.hasOtherModel !== true || !this.#made.has(keyOf(header));
  }
}

function keyOf({ sourceFile, text }: PendingHeader): number {
  return checksumOf([sourceFile, text].join('\n'));
}
