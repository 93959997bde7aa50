import { expect } from 'vitest';
import { embeddingText } from '../../domain/chunks/chunk.js';
import { document, draft, vector } from '../harness/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { enrich, stateOf } from '../harness/enriched-chunk.js';
import { found, ingest } from '../harness/project-stores-subject.js';

const NOTES = 'docs/notes.md';
const [FIRST, SECOND, THIRD] = [`${NOTES}#0`, `${NOTES}#1`, `${NOTES}#2`];

/** What stays with a chunk when its source changes. */
export function declareMoving({ it, subject }: Suite): void {
  it('keeps the row of a chunk whose text and place are the same', async () => {
    await ingest(subject(), document(NOTES, ['copper', 'walnut']));
    await enrich(subject(), FIRST, 0);
    const before = await stateOf(subject(), FIRST);

    await ingest(subject(), document(NOTES, ['copper', 'basalt']));

    expect(await stateOf(subject(), FIRST)).toEqual(before);
    expect(before).toMatchObject({
      content: 'copper',
      retrieved: true,
      axis: 0,
      questionAxis: 0,
    });
  });

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

  it('moves a chunk up when the previous one is removed', async () => {
    await ingest(subject(), document(NOTES, ['copper', 'walnut']));
    await enrich(subject(), SECOND, 1);
    const before = await stateOf(subject(), SECOND);

    await ingest(subject(), document(NOTES, ['walnut']));

    expect(await stateOf(subject(), FIRST)).toEqual(before);
    expect(await subject().store.chunks.getChunks([SECOND])).toEqual([]);
    expect(await found(subject(), 'walnut OR copper')).toEqual([FIRST]);
  });

  it('lets two chunks change places, each with what is its own', async () => {
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

  it('tells identical texts apart by their position', async () => {
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
    expect(await store.vectors.pending(10)).toEqual([{ chunkId: FIRST, texts }]);
    expect(await store.questionVectors.pending(10)).toEqual([]);
    await store.vectors.put([{ chunkId: FIRST, texts, vector: vector(1) }]);
    expect(await store.questions.pending(10)).toEqual([{ id: FIRST, text: texts[0] }]);
  });
}
