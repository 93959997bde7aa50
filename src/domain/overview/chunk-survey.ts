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

/** What a store counts; a survey is made of it. */
export interface ChunkCounts {
  /** In no particular order; several may have the same type and size. */
  readonly groups: readonly ChunkGroup[];
  /** As in {@link ChunkSurvey}. */
  readonly lastRetrieved: readonly DayCount[];
}

/** Chunks of one type and about one size. */
export interface ChunkGroup extends TypeCount {
  /** 0 for those of 1 to 50 tokens and without text, 1 for those of up to 100, and so on; {@link LAST_STEP} for all that are longer. */
  readonly sizeStep: number;
  readonly neverRetrieved: number;
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

export const TOKENS_PER_STEP = 50;
export const LAST_STEP = 16;

export function surveyOf({ groups, lastRetrieved }: ChunkCounts): ChunkSurvey {
  const sum = (of: 'chunks' | 'tokens' | 'retrievals' | 'neverRetrieved', among = groups) =>
    among.reduce((total, group) => total + group[of], 0);
  const types = [...new Set(groups.map(({ sourceType }) => sourceType))].map((sourceType) => {
    const own = groups.filter((group) => group.sourceType === sourceType);
    const [chunks, tokens] = [sum('chunks', own), sum('tokens', own)];
    return { sourceType, chunks, tokens, retrievals: sum('retrievals', own) };
  });
  const sizes = [...LARGEST_SIZES, undefined].map((upTo) => {
    const own = groups.filter(({ sizeStep }) => largestSizeAt(sizeStep) === upTo);
    return { ...(upTo !== undefined && { upTo }), chunks: sum('chunks', own) };
  });
  return {
    ...{ chunks: sum('chunks'), tokens: sum('tokens'), retrievals: sum('retrievals') },
    neverRetrieved: sum('neverRetrieved'),
    types: types.toSorted((a, b) => b.chunks - a.chunks),
    sizes,
    lastRetrieved,
  };
}

/** In budget tokens; a chunk of 500 estimated tokens has about 650 of them. */
const LARGEST_SIZES = [50, 100, 200, 300, 400, 500, 600, 800];

function largestSizeAt(step: number): number | undefined {
  return LARGEST_SIZES.find((upTo) => (step + 1) * TOKENS_PER_STEP <= upTo);
}
