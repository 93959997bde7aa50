import type { Variant } from '../../src/app/config/config.js';
import type { SearchParameters } from '../../src/app/search/retrieval.js';
import type { Profile } from '../../src/domain/ranking/search.js';

/** A search mode to measure. */
export interface Mode {
  readonly variant: Variant;
  /** Whether the service has a model; without one, a hybrid service ranks by keyword. */
  readonly model: 'none' | 'vectors';
  readonly profile: Profile;
  readonly options: Pick<SearchParameters, 'fusion' | 'candidates'>;
}

const keyword = { variant: 'hybrid', model: 'none', profile: 'specified', options: {} } as const;
const vectors = { variant: 'hybrid', model: 'vectors' } as const;
const reading = { ...vectors, profile: 'reading' } as const;

/** Modes in the order of the report. `rrf` is the profile `specified`, and `blend+union` the profile `reading`. */
export const MODES = {
  'search-only': { ...keyword, variant: 'search-only' },
  bm25: keyword,
  rrf: { ...vectors, profile: 'specified', options: {} },
  blend: { ...reading, options: { fusion: 'blend', candidates: 'keyword' } },
  'rrf+union': { ...reading, options: { fusion: 'rrf', candidates: 'union' } },
  'blend+union': { ...reading, options: {} },
} as const satisfies Readonly<Record<string, Mode>>;

export type ModeName = keyof typeof MODES;

export const MODE_NAMES = Object.keys(MODES) as readonly ModeName[];
