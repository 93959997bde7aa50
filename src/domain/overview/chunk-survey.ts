import { tokenCost } from '../chunks/tokens.js';
import type { ChunkRecord } from '../transfer/records.js';

/** Counts over all chunks of a project. */
export interface ChunkSurvey {
  readonly chunks: number;
  /** Budget tokens of all texts. */
  readonly tokens: number;
  /** Sum over all chunks. */
  readonly retrievals: number;
  readonly neverRetrieved: number;
  /** By type, most chunks first. */
  readonly types: readonly TypeCount[];
  /** Chunks by their size; every bucket, from small to large. */
  readonly sizes: readonly SizeCount[];
  /** Chunks by the day (UTC) of their last retrieval, oldest first, without empty days. */
  readonly lastRetrieved: readonly DayCount[];
}

export interface TypeCount {
  readonly sourceType: string;
  readonly chunks: number;
  readonly tokens: number;
  readonly retrievals: number;
}

export interface SizeCount {
  /** Tokens of the largest chunk that is counted here; absent for the last bucket. */
  readonly upTo?: number;
  readonly chunks: number;
}

export interface DayCount {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly chunks: number;
}

/** Collects the survey of a project, chunk by chunk. */
export class SurveyCounter {
  readonly #types = new Map<string, Omit<TypeCount, 'sourceType'>>();
  readonly #sizes = new Array<number>(SIZES.length + 1).fill(0);
  readonly #days = new Map<string, number>();
  #neverRetrieved = 0;

  add({ chunk, retrievalCount, lastRetrievedAt }: ChunkRecord): void {
    const tokens = tokenCost(chunk.content);
    const before = this.#types.get(chunk.sourceType) ?? NOTHING;
    this.#types.set(chunk.sourceType, {
      chunks: before.chunks + 1,
      tokens: before.tokens + tokens,
      retrievals: before.retrievals + retrievalCount,
    });
    const size = SIZES.findIndex((upTo) => tokens <= upTo);
    const bucket = size < 0 ? SIZES.length : size;
    this.#sizes[bucket] = (this.#sizes[bucket] ?? 0) + 1;
    if (retrievalCount === 0) this.#neverRetrieved += 1;
    if (lastRetrievedAt === undefined) return;
    const day = lastRetrievedAt.slice(0, 'YYYY-MM-DD'.length);
    this.#days.set(day, (this.#days.get(day) ?? 0) + 1);
  }

  result(): ChunkSurvey {
    const types = [...this.#types].map(([sourceType, counts]) => ({ sourceType, ...counts }));
    const sum = (of: keyof typeof NOTHING) =>
      types.reduce((total, counts) => total + counts[of], 0);
    return {
      chunks: sum('chunks'),
      tokens: sum('tokens'),
      retrievals: sum('retrievals'),
      neverRetrieved: this.#neverRetrieved,
      types: types.toSorted((a, b) => b.chunks - a.chunks),
      sizes: this.#sizes.map((chunks, index) => sizeCount(SIZES[index], chunks)),
      lastRetrieved: [...this.#days]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, chunks]) => ({ day, chunks })),
    };
  }
}

function sizeCount(upTo: number | undefined, chunks: number): SizeCount {
  return { ...(upTo !== undefined && { upTo }), chunks };
}

const NOTHING = { chunks: 0, tokens: 0, retrievals: 0 } as const;

/** In budget tokens; a chunk of 500 estimated tokens has about 650 of them. */
const SIZES = [50, 100, 200, 300, 400, 500, 600, 800];
