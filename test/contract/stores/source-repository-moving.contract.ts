import { expect } from 'vitest';
import { embeddingText } from '../../../src/domain/chunks/chunk.js';
import { document, draft, vector } from '../../support/chunks.js';
import { pruneAll } from '../../support/unretrieved.js';
import type { Suite } from '../harness/contract-suite.js';
import { enrich, found, ingest, stateOf } from '../harness/steps.js';

const NOTES = 'docs/notes.md';
const [FIRST, SECOND, THIRD] = [`${NOTES}#0`, `${NOTES}#1`, `${NOTES}#2`];

/** Tests of the data that stays with a chunk when its source changes. */
export function declareMoving({ it, subject }: Suite): void {
  it('gives new metadata to a chunk whose text is the same', async () => {
    await ingest(subject(), document(NOTES, ['copper']));
    await enrich(subject(), FIRST, 0);
    const before = await stateOf(subject(), FIRST);

    const metadata = { importance: 0.9, tags: ['metal'] };
    await ingest(subject(), document(NOTES, [draft('copper', metadata)], 'reflection'));

    const [stored] = await subject().store.chunks.getChunks([FIRST]);
    expect(stored).toMatchObject({ ...metadata, sourceType: 'reflection' });
    expect(await stateOf(subject(), FIRST)).toEqual(before);
  });

  it('moves a chunk with its creation, counts, vector and questions', async () => {
    await ingest(subject(), document(NOTES, ['copper', draft('oak', { heading: 'walnut' })]));
    await enrich(subject(), SECOND, 1);
    const before = await stateOf(subject(), SECOND);

    const walnut = draft('oak', { heading: 'walnut' });
    await ingest(subject(), document(NOTES, ['copper', 'basalt', walnut]));

    expect(await stateOf(subject(), THIRD)).toEqual(before);
    expect(before).toMatchObject({ content: 'oak', retrieved: true, axis: 1, questionAxis: 1 });
    expect(await stateOf(subject(), SECOND)).toEqual({
      content: 'basalt',
      createdAt: '2026-01-01T00:00:02.000Z',
      retrieved: false,
    });
    expect(await found(subject(), 'walnut oak')).toEqual([THIRD]);
  });

  it('lets two chunks swap places, each with its own data', async () => {
    await ingest(subject(), document(NOTES, ['copper', 'walnut']));
    await enrich(subject(), FIRST, 0);
    await enrich(subject(), SECOND, 1);
    const before = await Promise.all([FIRST, SECOND].map((id) => stateOf(subject(), id)));

    await ingest(subject(), document(NOTES, ['walnut', 'copper']));

    const after = await Promise.all([SECOND, FIRST].map((id) => stateOf(subject(), id)));
    expect(after).toEqual(before);
    const chunks = await subject().store.chunks.getChunks([FIRST, SECOND]);
    expect(chunks.map((stored) => stored.chunkIndex)).toEqual([0, 1]);
    expect(await found(subject(), 'copper')).toEqual([SECOND]);
  });

  it('distinguishes identical texts by their position', async () => {
    await ingest(subject(), document(NOTES, ['copper', 'copper', 'walnut']));
    for (const [axis, id] of [FIRST, SECOND, THIRD].entries()) await enrich(subject(), id, axis);

    await ingest(subject(), document(NOTES, ['walnut', 'copper', 'copper']));

    const after = await Promise.all([FIRST, SECOND, THIRD].map((id) => stateOf(subject(), id)));
    expect(after.map(({ content, axis }) => [content, axis])).toEqual([
      ['walnut', 2],
      ['copper', 1],
      ['copper', 0],
    ]);
  });

  it('drops one of two equal texts, and only that', async () => {
    await ingest(subject(), document(NOTES, ['copper', 'copper']));
    await enrich(subject(), FIRST, 0);
    await enrich(subject(), SECOND, 1);

    await ingest(subject(), document(NOTES, ['copper']));

    expect(await stateOf(subject(), FIRST)).toMatchObject({ content: 'copper', axis: 0 });
    expect(await found(subject(), 'copper')).toEqual([FIRST]);
  });

  it.each([
    ['content', draft('walnut', { heading: 'metal' })],
    ['heading', draft('copper', { heading: 'wood' })],
  ])('takes vector and questions from a chunk whose %s changed', async (_, changed) => {
    const { store } = subject();
    await ingest(subject(), document(NOTES, [draft('copper', { heading: 'metal' })]));
    await enrich(subject(), FIRST, 0);

    await ingest(subject(), document(NOTES, [changed]));

    const state = await stateOf(subject(), FIRST);
    expect(state).not.toHaveProperty('axis');
    expect(state).not.toHaveProperty('questionAxis');
    const texts = [embeddingText(changed)];
    expect(await store.vectors.pending('content', 10)).toEqual([{ id: FIRST, texts }]);
    expect(await store.vectors.pending('questions', 10)).toEqual([]);
    await store.vectors.put('content', [{ id: FIRST, texts, vector: vector(1) }]);
    expect(await store.vectors.pending('questionTexts', 10)).toEqual([{ id: FIRST, texts }]);
  });
}

/** Tests of moving a source to another path. */
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

  it('keeps chunks pruned after their source has moved, unless they are restored', async () => {
    const { store } = subject();
    await ingest(subject(), document(NOTES, ['copper', 'walnut', 'basalt']));
    await enrich(subject(), SECOND, 1);
    await pruneAll(store);

    const moved = document('new.md', ['copper', 'walnut', 'basalt']);
    await ingest(subject(), { ...moved, movedFrom: NOTES });

    expect(await stateOf(subject(), 'new.md#1')).toMatchObject({ content: 'walnut', axis: 1 });
    expect(await store.chunks.indexedSources()).toMatchObject([
      { sourceFile: 'new.md', chunkCount: 1, documentChunkCount: 3 },
    ]);
    await store.chunks.replaceSources([
      { sourceFile: 'new.md', document: moved, unchanged: 'restore' },
    ]);
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
