import fc from 'fast-check';
import { expect, it } from 'vitest';
import { InMemoryData } from '../../src/adapters/memory/in-memory-data.js';
import { pruneBoundary } from '../../src/app/upkeep/pruning.js';
import { chunk } from '../support/chunks.js';
import { memoryStores } from '../support/memory-stores.js';
import { runs } from '../support/seed.js';

const NOW = Date.parse('2026-06-01T00:00:00.000Z');
const DAY_MS = 86_400_000;

/** Around the boundary of 90 days, and anywhere else. */
const ageMs = fc.oneof(
  fc.integer({ min: -2, max: 2 }).map((ms) => 90 * DAY_MS + ms),
  fc.integer({ min: 0, max: 400 * DAY_MS }),
);
const history = fc.record({
  createdMsAgo: ageMs,
  retrievedMsAgo: fc.option(ageMs, { nil: undefined }),
  retrievalCount: fc.nat({ max: 2 }),
});

it('prunes exactly what was never retrieved and is 90 days old, whatever the histories', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(history, { maxLength: 12 }), async (histories) => {
      const data = new InMemoryData();
      const { chunks, retrievals } = await memoryStores({ data }).open('/project');
      const { tables } = data.of('/project');
      for (const [i, { createdMsAgo, retrievedMsAgo, retrievalCount }] of histories.entries()) {
        const times = { createdAt: ago(createdMsAgo), updatedAt: ago(createdMsAgo) };
        const retrieval = retrievedMsAgo !== undefined && { lastRetrievedAt: ago(retrievedMsAgo) };
        tables.put({ chunk: chunk('a', i, times), order: i, retrievalCount, ...retrieval });
      }
      const boundary = pruneBoundary(new Date(NOW));

      const pruned = await retrievals.deleteUnusedSince(boundary, 100);

      const expected = histories.flatMap(({ createdMsAgo, retrievedMsAgo, retrievalCount }, i) =>
        retrievalCount === 0 && (retrievedMsAgo ?? createdMsAgo) >= 90 * DAY_MS ? [`a#${i}`] : [],
      );
      expect(pruned.map(({ id }) => id)).toEqual(expected);
      expect((await chunks.stats()).totalChunks).toBe(histories.length - expected.length);
      expect(await retrievals.findUnusedSince(boundary)).toEqual([]);
    }),
    runs(200),
  );
});

function ago(ms: number): string {
  return new Date(NOW - ms).toISOString();
}
