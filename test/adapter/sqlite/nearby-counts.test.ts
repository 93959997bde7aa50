import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { threadedStores } from './project-stores-harness.js';

it('many counts of retrievals, made in the main thread, do not let the log grow', async () => {
  const project = mkdtempSync(join(tmpdir(), 'nearby-counts-'));
  const stores = threadedStores();
  try {
    const store = await stores.open(project);
    const chunks = Array.from({ length: CHUNKS }, (_, place) => ({
      content: `${place} ${'walnut '.repeat(500)}`,
      importance: 0.5,
    }));
    const document = { sourceType: 'file', sourceFile: 'a.md', contentHash: '1', chunks } as const;
    await store.chunks.replaceSource('a.md', async () => document);
    const ids = chunks.map((_, place) => `a.md#${place}`);
    for (let i = 0; i < COUNTS; i += 1) await store.retrievals.record(ids, new Date(i));
    expect(statSync(join(project, '.knowledge/knowledge.db-wal')).size).toBeLessThan(8 * 2 ** 20);
    expect((await store.chunks.stats()).totalChunks).toBe(CHUNKS);
  } finally {
    await stores.close();
    rmSync(project, { recursive: true });
  }
});

/** Each count writes a page for each chunk: 64 MB of log altogether. */
const [CHUNKS, COUNTS] = [40, 400];
