import { describe, expect, it } from 'vitest';
import { useSubject } from '../../contract/harness/contract-suite.js';
import { ingest } from '../../contract/harness/steps.js';
import { document } from '../../support/chunks.js';
import { sqliteHarness } from './project-stores-harness.js';

describe('Pruning many chunks, in SQLite', () => {
  const subject = useSubject(sqliteHarness);
  const end = new Date('2100-01-01');

  it('lets others write before it is done, and keeps what they retrieve', async () => {
    const { store } = subject();
    const texts = Array.from({ length: 450 }, (_, number) => `copper ${number}`);
    await ingest(subject(), document('a', texts));
    const last = `a#${texts.length - 1}`;
    const order: string[] = [];
    const pruned = store.retrievals
      .deleteUnusedSince(end, 1000)
      .finally(() => order.push('pruned'));
    const done = new Promise((resolve) => setImmediate(resolve))
      .then(() => store.retrievals.record([last], end))
      .then(() => order.push('retrieved'));
    expect(await pruned).toHaveLength(texts.length - 1);
    await done;
    expect(order).toEqual(['retrieved', 'pruned']);
    expect((await store.chunks.getChunks(['a#0', last])).map(({ id }) => id)).toEqual([last]);
  });
});
