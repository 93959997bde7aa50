import type { Enrichment } from '../enrichment/enrichment.js';

/** Null object for variants without background work. Does nothing. */
export const noEnrichment: Enrichment = {
  wake: () => undefined,
  progressOf: () => undefined,
  isWorking: () => false,
  release: async () => undefined,
  stop: async () => undefined,
};
