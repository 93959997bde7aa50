import type { Variant } from '../../src/app/config/config.js';
import type { AskedSearch } from '../../src/app/search/retrieval.js';

/** One search mode that is measured. */
export interface Mode {
  readonly variant: Variant;
  /** Whether there is a model: without one a hybrid service ranks by keyword. */
  readonly model: 'none' | 'vectors';
  readonly options: Pick<AskedSearch, 'fusion' | 'candidates'>;
}

const keyword = { variant: 'hybrid', model: 'none', options: {} } as const;
const vectors = { variant: 'hybrid', model: 'vectors' } as const;

/** In the order in which they are reported. */
export const MODES = {
  'search-only': { ...keyword, variant: 'search-only' },
  bm25: keyword,
  rrf: { ...vectors, options: { fusion: 'rrf', candidates: 'keyword' } },
  blend: { ...vectors, options: { fusion: 'blend', candidates: 'keyword' } },
  'rrf+union': { ...vectors, options: { fusion: 'rrf', candidates: 'union' } },
  'blend+union': { ...vectors, options: { fusion: 'blend', candidates: 'union' } },
} as const satisfies Readonly<Record<string, Mode>>;

export type ModeName = keyof typeof MODES;

export const MODE_NAMES = Object.keys(MODES) as readonly ModeName[];
