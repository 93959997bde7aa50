import { expect } from 'vitest';
import { document } from '../harness/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { enrich, stateOf } from '../harness/enriched-chunk.js';
import { found, ingest } from '../harness/project-stores-subject.js';

const NOTES = 'docs/notes.md';
const [FIRST, SECOND] = [`${NOTES}#0`, `${NOTES}#1`];

/** What happens to the chunks of a source that has another path now. */
export function declareRenaming({ it, subject }: Suite): void {
  it('moves the chunks of a source that has another path now, with all that they have', async () => {
    await ingest(subject(), document(NOTES, ['copper', 'walnut']));
    await enrich(subject(), FIRST, 0);
    await enrich(subject(), SECOND, 1);
    const before = await Promise.all([FIRST, SECOND].map((id) => stateOf(subject(), id)));

    const moved = { ...document('old/notes.md', ['copper', 'walnut']), movedFrom: NOTES };
    await ingest(subject(), moved);

    const ids = ['old/notes.md#0', 'old/notes.md#1'];
    expect(await Promise.all(ids.map((id) => stateOf(subject(), id)))).toEqual(before);
    const chunks = await subject().store.chunks.getChunks([...ids, FIRST, SECOND]);
    expect(chunks).toMatchObject(ids.map((id) => ({ id, sourceFile: 'old/notes.md' })));
    expect(await subject().store.chunks.indexedSources()).toMatchObject([
      { sourceFile: 'old/notes.md', chunkCount: 2, documentChunkCount: 2 },
    ]);
    expect(await found(subject(), 'walnut')).toEqual(['old/notes.md#1']);
  });

  it('keeps away what was pruned of a source that has another path now, unless it is restored', async () => {
    const { store } = subject();
    await ingest(subject(), document(NOTES, ['copper', 'walnut', 'basalt']));
    await enrich(subject(), SECOND, 1);
    await store.retrievals.deleteUnusedSince(new Date('2100-01-01'), 100);

    const moved = document('new.md', ['copper', 'walnut', 'basalt']);
    await ingest(subject(), { ...moved, movedFrom: NOTES });

    expect(await stateOf(subject(), 'new.md#1')).toMatchObject({ content: 'walnut', axis: 1 });
    expect(await store.chunks.indexedSources()).toMatchObject([
      { sourceFile: 'new.md', chunkCount: 1, documentChunkCount: 3 },
    ]);
    await store.chunks.replaceSource('new.md', async () => moved, { unchanged: 'restore' });
    expect((await store.chunks.stats()).totalChunks).toBe(3);
  });

  it('takes nothing from a source with another content, or from one that is not indexed', async () => {
    await ingest(subject(), document(NOTES, ['copper', 'walnut']));
    await ingest(subject(), { ...document('a.md', ['copper']), movedFrom: NOTES });
    await ingest(subject(), { ...document('b.md', ['basalt']), movedFrom: 'unknown.md' });
    const ids = ['a.md#0', 'b.md#0', FIRST, SECOND];
    expect(await subject().store.chunks.getChunks(ids)).toHaveLength(4);
  });
}
