import type { Enrichment } from '../enrichment/enrichment.js';

/** Null object for variants without background work. Does nothing. */
export const noEnrichment: Enrichment = {
  wake: () => undefined,
  stop: async () => undefined,
};
