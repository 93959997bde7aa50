/** A chunk in the model. */
interface ModelChunk {
  readonly id: string;
  readonly feature: string;
  readonly word: string;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly retrievals: number;
}

const PRUNE_AFTER_MS = 90 * 24 * 3600 * 1000;

/** A model of the store in maps and lists, without an index, transactions or files. */
export class PlainModel {
  /** The words of the sections of each reflection on disk. */
  readonly files = new Map<string, readonly string[]>();
  readonly #indexed = new Map<string, readonly string[]>();
  #chunks: readonly ModelChunk[] = [];

  get chunks(): readonly ModelChunk[] {
    return this.#chunks;
  }

  /** Returns the number of files that have chunks in the index. */
  ingest(now: number): number {
    for (const feature of this.#indexed.keys()) {
      if (this.files.has(feature)) continue;
      this.#indexed.delete(feature);
      this.#chunks = this.#chunks.filter((chunk) => chunk.feature !== feature);
    }
    for (const [feature, words] of this.files) {
      if (this.#indexed.get(feature)?.join() === words.join()) continue;
      this.#indexed.set(feature, words);
      const old = new Map(this.#of(feature).map((chunk) => [chunk.word, chunk]));
      const others = this.#chunks.filter((chunk) => chunk.feature !== feature);
      const fresh = words.map((word, place) => ({
        id: `.knowledge/features/${feature}/reflection.md#${place}`,
        feature,
        word,
        createdAt: old.get(word)?.createdAt ?? now,
        retrievals: old.get(word)?.retrievals ?? 0,
      }));
      this.#chunks = [...others, ...fresh];
    }
    return [...this.files.keys()].filter((feature) => this.#of(feature).length > 0).length;
  }

  /** Returns the ids of the chunks with this word, and counts a retrieval of each. */
  search(word: string): readonly string[] {
    this.#chunks = this.#chunks.map((chunk) =>
      chunk.word === word ? { ...chunk, retrievals: chunk.retrievals + 1 } : chunk,
    );
    return this.#chunks.filter((chunk) => chunk.word === word).map(({ id }) => id);
  }

  /** Returns the ids of the pruned chunks. */
  prune(now: number): readonly string[] {
    const isStale = ({ retrievals, createdAt }: ModelChunk) =>
      retrievals === 0 && now - createdAt >= PRUNE_AFTER_MS;
    const stale = this.#chunks.filter(isStale);
    this.#chunks = this.#chunks.filter((chunk) => !isStale(chunk));
    return stale.map(({ id }) => id);
  }

  #of(feature: string): readonly ModelChunk[] {
    return this.#chunks.filter((chunk) => chunk.feature === feature);
  }
}
