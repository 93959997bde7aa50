import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PRUNE_AFTER_DAYS } from '../../src/domain/limits.js';
import { type ChunkUse, isPrunable } from '../../src/domain/upkeep/pruning.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date('2026-06-01T12:00:00.000Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString();
const ages = fc.oneof(
  fc.double({ min: 0, max: 1000, noNaN: true }),
  fc.constantFrom(PRUNE_AFTER_DAYS - 1 / DAY_MS, PRUNE_AFTER_DAYS, PRUNE_AFTER_DAYS + 1 / DAY_MS),
);
const uses = fc.record(
  {
    retrievalCount: fc.constantFrom(0, 0, 1, 7),
    createdAt: ages.map(daysAgo),
    lastRetrievedAt: ages.map(daysAgo),
  },
  { requiredKeys: ['retrievalCount', 'createdAt'] },
);

it('a chunk with a counted retrieval is never pruned', () => {
  fc.assert(
    fc.property(uses, ({ retrievalCount: _, ...use }) => {
      expect(isPrunable({ ...use, retrievalCount: 1 }, NOW)).toBe(false);
    }),
  );
});

it('a chunk without one is pruned from the 90th day after its last use on, and stays prunable', () => {
  fc.assert(
    fc.property(uses, fc.nat(1000), (use, later) => {
      const unused: ChunkUse = { ...use, retrievalCount: 0 };
      const age = NOW.getTime() - Date.parse(use.lastRetrievedAt ?? use.createdAt);
      expect(isPrunable(unused, NOW)).toBe(age >= PRUNE_AFTER_DAYS * DAY_MS);
      const then = new Date(NOW.getTime() + later * DAY_MS);
      expect(isPrunable(unused, then) || !isPrunable(unused, NOW)).toBe(true);
    }),
  );
});

it('a chunk that was retrieved without being counted goes by that time, however old it is', () => {
  fc.assert(
    fc.property(uses, ages, (use, days) => {
      const retrieved = { ...use, lastRetrievedAt: daysAgo(days) };
      const fresh = { ...retrieved, createdAt: daysAgo(0) };
      expect(isPrunable(retrieved, NOW)).toBe(isPrunable(fresh, NOW));
    }),
  );
});
