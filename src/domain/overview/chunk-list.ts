/** The orders in which chunks can be listed. */
export const CHUNK_ORDERS = [
  'source',
  'most_retrieved',
  'least_retrieved',
  'newest',
  'longest',
] as const;
export type ChunkOrder = (typeof CHUNK_ORDERS)[number];

/** The size of a page, and how many entries may come before it. */
export const LISTED_CHUNKS_RANGE = { min: 1, max: 200 } as const;
export const LISTED_OFFSET_RANGE = { min: 0, max: 10_000 } as const;

/** What an order compares. */
export interface Orderable {
  readonly id: string;
  readonly sourceFile: string;
  readonly chunkIndex: number;
  readonly tokens: number;
  readonly updatedAt: string;
  readonly retrievals: number;
  readonly lastRetrievedAt?: string;
}

/** Keeps the first entries of an order, without keeping all that it has seen. */
export class TopList<T extends Orderable> {
  readonly #compare: Comparison;
  readonly #size: number;
  #kept: T[] = [];
  #total = 0;

  constructor(order: ChunkOrder, size: number) {
    this.#compare = COMPARISONS[order];
    this.#size = size;
  }

  add(entry: T): void {
    this.#total += 1;
    this.#kept.push(entry);
    if (this.#kept.length > 2 * this.#size + SLACK) this.#kept = this.#first();
  }

  /** How many were added. */
  get total(): number {
    return this.#total;
  }

  from(offset: number): readonly T[] {
    return this.#first().slice(offset);
  }

  #first(): T[] {
    return this.#kept.toSorted(this.#compare).slice(0, this.#size);
  }
}

/** Sorting is worth while for so many only. */
const SLACK = 1000;

type Comparison = (a: Orderable, b: Orderable) => number;

const bySource: Comparison = (a, b) =>
  byText(a.sourceFile, b.sourceFile) || a.chunkIndex - b.chunkIndex || byText(a.id, b.id);

const COMPARISONS: Readonly<Record<ChunkOrder, Comparison>> = {
  source: bySource,
  most_retrieved: (a, b) =>
    b.retrievals - a.retrievals ||
    byText(b.lastRetrievedAt ?? '', a.lastRetrievedAt ?? '') ||
    bySource(a, b),
  least_retrieved: (a, b) =>
    a.retrievals - b.retrievals || byText(a.updatedAt, b.updatedAt) || bySource(a, b),
  newest: (a, b) => byText(b.updatedAt, a.updatedAt) || bySource(a, b),
  longest: (a, b) => b.tokens - a.tokens || bySource(a, b),
};

/** In code units. */
function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
