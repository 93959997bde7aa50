import type { Freshness } from '../../src/app/freshness/freshness.js';

/** Watches nothing, and takes every source file for present. */
export const noFreshness: Pick<Freshness, keyof Freshness> = {
  use() {},
  searched: async () => undefined,
  goneAmong: async () => [],
  release: async () => {},
  stop: async () => {},
};
