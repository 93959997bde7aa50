import { expect } from 'vitest';
import type { Chunk } from '../../../src/domain/chunks/chunk.js';
import type { SourceNames } from '../../../src/domain/chunks/source-names.js';
import { NAME_WEIGHT } from '../../../src/domain/limits.js';
import type { ChunkFilter } from '../../../src/ports/keyword-index.js';
import { document } from '../../support/chunks.js';
import type { Subject, Suite } from '../harness/contract-suite.js';
import { anyWordOf, found, ingest, remove, replace, scoresOf } from '../harness/steps.js';

/** Chunks are found by the names that their file gives itself. */
export function declareNames({ it, subject }: Suite): void {
  it.each([
    ['a title', 'walnut', { title: 'The walnut rule' }],
    ['an alias', 'basalt', { aliases: ['copper', 'basalt'] }],
    ['a description', 'tulips', { description: 'What tulips need' }],
    ['a word of the file name', 'token bucket', {}],
    ['a part of a word in mixed case', 'limits', {}],
    ['a word inside a run of other letters', '数据', { title: '使用数据库' }],
    ['a ligature', 'office', { title: 'the o\ufb03ce' }],
  ])('finds a chunk by %s of its file', async (_, query, names) => {
    await ingest(subject(), named('docs/adr-0031-token-bucket-rateLimits.md', ['falcon'], names));
    await ingest(subject(), named('other.md', ['falcon']));
    expect(await ids(subject(), query)).toEqual(['docs/adr-0031-token-bucket-rateLimits.md#0']);
    expect(await found(subject(), query)).toEqual([]);
  });

  it('ranks a query that matches no name as without names', async () => {
    await ingest(subject(), named('a.md', ['copper walnut', 'copper'], { title: 'tulip' }));
    expect(await hits(subject(), 'copper')).toEqual(
      await subject().store.keywords.search({
        expression: anyWordOf('copper'),
        filter: ALL,
        limit: 10,
      }),
    );
  });

  it('adds the relevance of the names to that of the text', async () => {
    for (const file of ['x', 'y', 'z']) await ingest(subject(), named(file, ['falcon', 'tulip']));
    await ingest(subject(), named('copper.md', ['copper walnut', 'basalt']));
    await ingest(subject(), named('b', ['copper walnut']));
    const bm25 = new Map((await hits(subject(), 'copper')).map((hit) => [hit.chunk.id, hit.bm25]));
    const byName = NAME_WEIGHT * Math.log((5 - 1 + 0.5) / (1 + 0.5));
    const byText = bm25.get('b#0') ?? 0;
    expect(bm25.get('copper.md#0')).toBeCloseTo(byText + byName, 6);
    expect(bm25.get('copper.md#1')).toBeCloseTo(byName, 6);
    const scores = await scoresOf(subject().store, anyWordOf('copper'), [
      'copper.md#0',
      'b#0',
      'x#0',
      'copper.md#1',
    ]);
    expect(scores.size).toBe(3);
    for (const [id, score] of scores) expect(score).toBeCloseTo(bm25.get(id) ?? 0, 6);
  });

  it('filters and limits what names find', async () => {
    await ingest(subject(), named('n/copper.md', ['falcon', 'tulip', 'basalt']));
    await ingest(subject(), named('m/copper.md', ['falcon']));
    expect(await ids(subject(), 'copper', { ...ALL, excludedSources: ['n/copper.md'] })).toEqual([
      'm/copper.md#0',
    ]);
    expect(await ids(subject(), 'copper', { ...ALL, folders: ['m'] })).toEqual(['m/copper.md#0']);
    expect(await ids(subject(), 'copper', ALL, 2)).toEqual(['n/copper.md#0', 'n/copper.md#1']);
  });

  it('forgets the names of a source that is gone, has others now or was moved', async () => {
    const { store } = subject();
    const file = named('a.md', ['falcon'], { title: 'copper' });
    await ingest(subject(), file);
    await ingest(subject(), { ...file, contentHash: 'other', names: { title: 'walnut' } });
    expect(await ids(subject(), 'copper')).toEqual([]);
    expect(await ids(subject(), 'walnut')).toEqual(['a.md#0']);
    const moved = { ...file, contentHash: 'other', sourceFile: 'basalt.md', movedFrom: 'a.md' };
    await replace(store, { sourceFile: 'basalt.md', document: { ...moved, names: {} } });
    expect(await ids(subject(), 'walnut')).toEqual([]);
    expect(await ids(subject(), 'basalt')).toEqual(['basalt.md#0']);
    await remove(store, 'basalt.md');
    expect(await ids(subject(), 'basalt')).toEqual([]);
  });

  it('scores names as a new store does, after many were changed, removed and added', async () => {
    const { store } = subject();
    const files = ['copper.md', 'copper-mine.md', 'walnut.md', 'basalt.md', 'tulip.md'];
    for (const file of files) await ingest(subject(), named(file, ['falcon']));
    const before = await hits(subject(), 'copper');
    for (const title of ['quartz', 'agate', 'onyx', undefined]) {
      for (const file of files) {
        const names = title === undefined ? {} : { title };
        await ingest(subject(), { ...named(file, ['falcon'], names), contentHash: `${title}` });
      }
    }
    await remove(store, 'tulip.md');
    await ingest(subject(), named('tulip.md', ['falcon']));
    const after = await hits(subject(), 'copper');
    expect(before).toHaveLength(2);
    expect(after.map(({ score }) => score)).toEqual(before.map(({ score }) => score));
  });

  it('finds imported chunks by their paths, which go with the last of them', async () => {
    const { store, harness } = subject();
    const chunk = importedChunk(subject());
    const other = { ...chunk, id: 'y', chunkIndex: 1 };
    await importChunks(subject(), [chunk, other]);
    expect((await ids(subject(), 'mine')).toSorted()).toEqual(['x', 'y']);
    const later = new Date(harness.clock.now().getTime() + 1);
    await store.chunks.deleteChunks(['x'], later);
    expect(await ids(subject(), 'mine')).toEqual(['y']);
    expect(await store.vectors.pending('headers', 10)).toHaveLength(1);
    await store.chunks.deleteChunks(['y'], later);
    expect(await store.vectors.pending('headers', 10)).toEqual([]);
  });

  it('finds imported chunks by their paths after a file that was never indexed is gone', async () => {
    const { store } = subject();
    const chunk = importedChunk(subject());
    await importChunks(subject(), [chunk]);
    await remove(store, chunk.sourceFile);
    expect(await ids(subject(), 'mine')).toEqual(['x']);
    expect(await store.vectors.pending('headers', 10)).toHaveLength(1);
  });
}

function importedChunk({ harness }: Subject): Chunk {
  const at = harness.clock.now().toISOString();
  return {
    id: 'x',
    sourceType: 'file',
    sourceFile: 'docs/copper-mine.md',
    projectPath: '',
    chunkIndex: 0,
    content: 'falcon',
    importance: 0.5,
    createdAt: at,
    updatedAt: at,
  };
}

async function importChunks({ store }: Subject, chunks: readonly Chunk[]): Promise<void> {
  const imported = chunks.map((chunk) => ({ chunk, retrievalCount: 0 }));
  await store.upkeep.import({ chunks: imported, sources: [] });
}

const ALL: ChunkFilter = { sourceTypes: 'all' };

function named(sourceFile: string, texts: readonly string[], names: SourceNames = {}) {
  return { ...document(sourceFile, texts), names };
}

function hits({ store }: Subject, text: string, filter = ALL, limit = 10) {
  return store.keywords.search({ expression: anyWordOf(text), filter, limit, names: 'counted' });
}

async function ids(...request: Parameters<typeof hits>): Promise<readonly string[]> {
  return (await hits(...request)).map(({ chunk }) => chunk.id);
}
