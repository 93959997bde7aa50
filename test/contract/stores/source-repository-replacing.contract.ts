import { expect } from 'vitest';
import { chunk, document, draft, vector } from '../../support/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { found, ingest, put, remove, replace } from '../harness/steps.js';
import { outsideOf } from '../harness/store-harness.js';

const NOTES = 'docs/notes.md';

/** Tests of storing, keeping and removing the chunks of a source. */
export function declareReplacing({ it, subject }: Suite): void {
  it('gives the chunks of a new source ids by position', async () => {
    const { harness, store } = subject();
    const heading = 'Ünïcode 🌋';
    const content = 'first line\r\n\tsecond "line"';
    const rich = draft(content, { heading, tags: ['copper', 'ä'], importance: 0.75 });
    const plain = draft('plain', { tags: [] });

    expect(await ingest(subject(), document(NOTES, [rich, plain], 'reflection'))).toBe('indexed');

    const common = {
      sourceType: 'reflection',
      sourceFile: NOTES,
      projectPath: harness.projectPath,
    };
    const times = {
      createdAt: '2026-01-01T00:00:01.000Z',
      updatedAt: '2026-01-01T00:00:01.000Z',
    };
    expect(await store.chunks.getChunks([`${NOTES}#0`, `${NOTES}#1`])).toEqual([
      { id: `${NOTES}#0`, chunkIndex: 0, ...rich, ...common, ...times },
      { id: `${NOTES}#1`, chunkIndex: 1, content: 'plain', importance: 0.5, ...common, ...times },
    ]);
  });

  it('keeps the time at which a text came into being, if the source names one', async () => {
    const createdAt = '2025-03-01T08:00:00.000Z';
    const older = { ...draft('said long ago'), createdAt };
    await ingest(subject(), document(NOTES, [older, draft('said now')]));
    const stored = await subject().store.chunks.getChunks([`${NOTES}#0`, `${NOTES}#1`]);
    const now = '2026-01-01T00:00:01.000Z';
    expect(stored).toMatchObject([
      { createdAt, updatedAt: now },
      { createdAt: now, updatedAt: now },
    ]);
  });

  it('returns chunks in the order of the ids, without unknown ones', async () => {
    await ingest(subject(), document(NOTES, ['copper', 'walnut']));
    const ids = [`${NOTES}#1`, 'unknown.md#0', `${NOTES}#0`];
    const chunks = await subject().store.chunks.getChunks(ids);
    expect(chunks.map((stored) => stored.id)).toEqual([`${NOTES}#1`, `${NOTES}#0`]);
    expect(await subject().store.chunks.getChunks([])).toEqual([]);
  });

  it('remembers the sources it indexed', async () => {
    const notes = document(NOTES, ['copper', 'walnut'], 'reflection');
    const empty = document('empty.md', []);
    await ingest(subject(), notes);
    expect(await ingest(subject(), empty)).toBe('indexed');
    expect(await ingest(subject(), empty)).toBe('unchanged');

    const sources = await subject().store.chunks.indexedSources();
    expect(sources.toSorted((a, b) => a.chunkCount - b.chunkCount)).toEqual([
      {
        sourceType: 'file',
        sourceFile: 'empty.md',
        contentHash: empty.contentHash,
        chunkCount: 0,
        documentChunkCount: 0,
      },
      {
        sourceType: 'reflection',
        sourceFile: NOTES,
        contentHash: notes.contentHash,
        chunkCount: 2,
        documentChunkCount: 2,
      },
    ]);
  });

  it('rewrites nothing while the hash is the same', async () => {
    const { store } = subject();
    await ingest(subject(), document(NOTES, ['copper', 'walnut']));
    const before = await store.chunks.getChunks([`${NOTES}#0`, `${NOTES}#1`]);

    expect(await ingest(subject(), document(NOTES, ['copper', 'walnut']))).toBe('unchanged');

    expect(await store.chunks.getChunks([`${NOTES}#0`, `${NOTES}#1`])).toEqual(before);
  });

  it('replaces what changed together with what finds it', async () => {
    await ingest(subject(), document(NOTES, ['copper', 'walnut', 'falcon']));
    await ingest(subject(), document(NOTES, ['copper', 'basalt']));

    expect(await found(subject(), 'walnut OR falcon OR (copper)')).toEqual([`${NOTES}#0`]);
    expect(await found(subject(), 'basalt')).toEqual([`${NOTES}#1`]);
    const [source] = await subject().store.chunks.indexedSources();
    expect(source?.chunkCount).toBe(2);
  });

  it('removes the chunks of a source that there is nothing to read of', async () => {
    const { store } = subject();
    await ingest(subject(), document(NOTES, ['copper']));
    await ingest(subject(), document('other.md', ['copper']));

    expect(await remove(store, NOTES)).toBe('gone');

    expect(await found(subject(), 'copper')).toEqual(['other.md#0']);
    expect(await store.chunks.indexedSources()).toHaveLength(1);
    expect(await ingest(subject(), document(NOTES, ['copper']))).toBe('indexed');
    expect(await remove(store, 'never-seen.md')).toBe('gone');
  });

  it('writes nothing of a source that has changed since it was read', async () => {
    const { store } = subject();
    await ingest(subject(), document(NOTES, ['copper']));
    const sourceFile = NOTES;
    const isCurrent = () => false;
    const older = { sourceFile, document: document(NOTES, ['walnut']), isCurrent };

    expect(await replace(store, older)).toBe('changed');
    expect(await replace(store, { sourceFile, document: undefined, isCurrent })).toBe('changed');

    expect(await found(subject(), 'copper OR walnut')).toEqual([`${NOTES}#0`]);
    expect(await ingest(subject(), document(NOTES, ['copper']))).toBe('unchanged');
  });

  it('makes several changes in their order', async () => {
    const { store } = subject();
    await ingest(subject(), document('b.md', ['basalt']));
    const outcomes = await store.chunks.replaceSources([
      { sourceFile: 'a.md', document: document('a.md', ['copper']) },
      { sourceFile: 'b.md', document: document('b.md', ['basalt']) },
      { sourceFile: 'c.md', document: document('c.md', ['walnut']), isCurrent: () => false },
      { sourceFile: 'a.md', document: document('a.md', ['falcon']) },
      { sourceFile: 'b.md', document: undefined, isCurrent: () => true },
    ]);

    expect(outcomes).toEqual(['indexed', 'unchanged', 'changed', 'indexed', 'gone']);
    expect(await found(subject(), 'copper OR basalt OR walnut OR falcon')).toEqual(['a.md#0']);
    expect(await store.chunks.replaceSources([])).toEqual([]);
  });

  it('leaves the chunks of other sources alone, also those of other programs', async () => {
    const { harness, store } = subject();
    const foreign = chunk('foreign.md', 0, { projectPath: harness.projectPath });
    await outsideOf(harness).plantForeignChunk(foreign);
    await ingest(subject(), document(NOTES, ['copper']));
    await remove(store, 'foreign.md');
    expect(await store.chunks.getChunks(['foreign.md#0'])).toEqual([foreign]);
  });

  it('takes over chunks of another program with the same text', async () => {
    const { harness, store } = subject();
    const { plantForeignChunk } = outsideOf(harness);
    await plantForeignChunk(chunk(NOTES, 4, { content: 'copper' }));
    await plantForeignChunk(chunk(NOTES, 5, { content: 'falcon' }));
    await ingest(subject(), document(NOTES, ['walnut', 'copper']));
    const [kept] = await store.chunks.getChunks([`${NOTES}#1`]);
    expect(kept?.createdAt).toBe('2026-01-01T00:00:00.000Z');
    expect(await store.chunks.getChunks([`${NOTES}#4`, `${NOTES}#5`])).toEqual([]);
  });

  it('takes an id that it needs from a chunk of another source', async () => {
    const { harness, store } = subject();
    const foreign = { ...chunk('foreign.md', 0, { content: 'falcon' }), id: `${NOTES}#1` };
    await outsideOf(harness).plantForeignChunk(foreign);
    await ingest(subject(), document(NOTES, ['copper', 'walnut']));
    expect(await store.chunks.getChunks([`${NOTES}#1`])).toMatchObject([{ content: 'walnut' }]);
    expect(await found(subject(), 'falcon')).toEqual([]);
  });

  it('keeps the vector of a chunk that loses its id, for the same text', async () => {
    const { harness, store } = subject();
    const foreign = { ...chunk('foreign.md', 0, { content: 'copper' }), id: 'a#0' };
    await outsideOf(harness).plantForeignChunk(foreign);
    await put(subject(), 'a#0', 'copper', vector(1, 2));
    await ingest(subject(), document('a', ['copper']));
    expect(await store.chunks.getChunks(['a#0'])).toMatchObject([{ sourceFile: 'a' }]);
    expect((await store.vectors.status('content')).complete).toBe(1);
  });
}
