import { expect } from 'vitest';
import { KnowledgeError } from '../../domain/errors.js';
import { document, draft } from '../harness/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { found, ingest } from '../harness/steps.js';

const NOTES = 'docs/notes.md';

/** How the chunks of a source are stored, kept and removed. */
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

    expect(await store.chunks.replaceSource(NOTES, async () => undefined)).toBe('gone');

    expect(await found(subject(), 'copper')).toEqual(['other.md#0']);
    expect(await store.chunks.indexedSources()).toHaveLength(1);
    expect(await ingest(subject(), document(NOTES, ['copper']))).toBe('indexed');
    expect(await store.chunks.replaceSource('never-seen.md', async () => undefined)).toBe('gone');
  });

  it('changes nothing when reading fails, and continues to work afterwards', async () => {
    const { store } = subject();
    await ingest(subject(), document(NOTES, ['copper']));
    const failure = new KnowledgeError('path_not_allowed', 'The file leads out of the project.');

    const reading = store.chunks.replaceSource(NOTES, () => Promise.reject(failure));
    await expect(reading).rejects.toBe(failure);

    expect(await found(subject(), 'copper')).toEqual([`${NOTES}#0`]);
    expect(await ingest(subject(), document(NOTES, ['copper']))).toBe('unchanged');
  });

  it('reads one source after the other, so that the newest reading stays', async () => {
    const { store } = subject();
    const events: string[] = [];
    const slow = store.chunks.replaceSource(NOTES, async () => {
      events.push('older reading begins');
      await new Promise((resolve) => setImmediate(resolve));
      events.push('older reading ends');
      return document(NOTES, ['walnut']);
    });
    const quick = store.chunks.replaceSource(NOTES, async () => {
      events.push('newer reading');
      return document(NOTES, ['copper']);
    });
    await Promise.all([slow, quick]);

    expect(events).toEqual(['older reading begins', 'older reading ends', 'newer reading']);
    expect(await found(subject(), 'copper OR walnut')).toEqual([`${NOTES}#0`]);
    expect(await found(subject(), 'copper')).toEqual([`${NOTES}#0`]);
  });

  it('writes each of several sources at the same time, or leaves it as it was', async () => {
    const { store } = subject();
    await ingest(subject(), document('b.md', ['basalt']));
    const failure = new KnowledgeError('path_not_allowed', 'The file leads out of the project.');
    const outcomes = await Promise.allSettled([
      ingest(subject(), document('a.md', ['copper'])),
      store.chunks.replaceSource('b.md', () => Promise.reject(failure)),
      ingest(subject(), document('c.md', ['copper'])),
      store.chunks.replaceSource('d.md', async () => undefined),
    ]);

    expect(
      outcomes.map((outcome) => ('value' in outcome ? outcome.value : outcome.reason)),
    ).toEqual(['indexed', failure, 'indexed', 'gone']);
    const ids = await found(subject(), 'copper OR basalt');
    expect(ids.toSorted()).toEqual(['a.md#0', 'b.md#0', 'c.md#0']);
  });
}
