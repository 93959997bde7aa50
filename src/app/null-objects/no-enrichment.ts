import type { Enrichment } from '../enrichment/enrichment.js';

/** Null object: stands where chunks are found by their words alone. Does nothing. */
export const noEnrichment: Enrichment = {
  wake: () => undefined,
  stop: async () => undefined,
};
