import type { Enrichment } from './enrichment.js';

/** For a variant whose chunks are found by their words alone. */
export const noEnrichment: Enrichment = {
  wake: () => undefined,
  stop: async () => undefined,
};
