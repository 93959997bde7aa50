import { expect } from 'vitest';
import { summarizeSources } from '../../../src/domain/overview/chunk-list.js';
import { listSupersessions } from '../../../src/domain/saved/supersession.js';
import type { ProjectStore } from '../../../src/ports/project-stores.js';
import { chunk, document } from '../../support/chunks.js';
import { type ContractOptions, contractSuite, type Suite } from '../harness/contract-suite.js';
import { ingest, remove } from '../harness/steps.js';
import { outsideOf } from '../harness/store-harness.js';
import { declareMoving, declareRenaming } from './source-repository-moving.contract.js';
import { declareReplacing } from './source-repository-replacing.contract.js';

/** The contract of `SourceRepository`. */
export function describeSourceRepository(name: string, options: ContractOptions): void {
  contractSuite(`SourceRepository: ${name}`, options, (suite) => {
    declareReplacing(suite);
    declareMoving(suite);
    declareRenaming(suite);
    declareSuperseding(suite);
    declareCounting(suite);
  });
}

const NONE = { file: 0, reflection: 0, agent_output: 0, url: 0, manual: 0, generated: 0 };

/** Tests of the counts over chunks. */
function declareCounting({ it, subject }: Suite): void {
  it('counts nothing in an empty store', async () => {
    const stats = await subject().store.chunks.stats();
    expect(stats).toMatchObject({ totalChunks: 0, uniqueSources: 0, sourceTypeBreakdown: NONE });
    expect(stats).not.toHaveProperty('lastUpdated');
    expect(stats.sizeBytes).toBeGreaterThanOrEqual(0);
  });

  it('counts chunks, sources and types, and knows the last update', async () => {
    const { harness, store } = subject();
    await ingest(subject(), document('b', ['copper'], 'reflection'));
    await ingest(subject(), document('c', ['copper'], 'url'));
    await ingest(subject(), document('a', ['copper', 'walnut']));
    expect(await store.chunks.stats()).toMatchObject({
      totalChunks: 4,
      uniqueSources: 3,
      sourceTypeBreakdown: { ...NONE, file: 2, reflection: 1, url: 1 },
      lastUpdated: harness.clock.now().toISOString(),
    });
  });

  it('sums up every source, by name, also one without chunks', async () => {
    const { harness, store } = subject();
    await ingest(subject(), document('b', ['copper', 'walnut'], 'reflection'));
    const lastUpdated = harness.clock.now().toISOString();
    await ingest(subject(), document('a', [], 'url'));
    await store.chunks.record(['b#0'], harness.clock.now());
    await store.chunks.record(['b#0', 'b#1'], harness.clock.now());
    expect(await summaries(store)).toEqual([
      { sourceFile: 'a', sourceType: 'url', chunks: 0, retrievals: 0 },
      { sourceFile: 'b', sourceType: 'reflection', chunks: 2, retrievals: 3, lastUpdated },
    ]);
  });

  it('sums up sources that another program wrote', async () => {
    const { harness, store } = subject();
    await outsideOf(harness).plantForeignChunk(chunk('c', 0, { sourceType: 'manual' }));
    expect(await summaries(store)).toMatchObject([
      { sourceFile: 'c', sourceType: 'manual', chunks: 1, retrievals: 0 },
    ]);
    expect(await store.chunks.stats()).toMatchObject({
      totalChunks: 1,
      uniqueSources: 1,
      sourceTypeBreakdown: { ...NONE, manual: 1 },
    });
  });
}

async function summaries({ chunks }: ProjectStore) {
  return summarizeSources(await chunks.entries(), await chunks.indexedSources());
}

/** Tests of sources that replace others. */
function declareSuperseding({ it, subject }: Suite): void {
  const links = async () =>
    listSupersessions(await subject().store.chunks.indexedSources('superseding'));

  it('knows what a source supersedes, until it is gone or supersedes something else', async () => {
    const { store } = subject();
    await ingest(subject(), document('old.md', ['copper']));
    await ingest(subject(), { ...document('new.md', ['walnut']), supersedes: 'old.md' });
    await ingest(subject(), { ...document('newer.md', ['basalt']), supersedes: 'nowhere.md' });
    expect((await links()).toSorted((a, b) => (a.sourceFile < b.sourceFile ? -1 : 1))).toEqual([
      { sourceFile: 'new.md', supersedes: 'old.md' },
      { sourceFile: 'newer.md', supersedes: 'nowhere.md' },
    ]);
    expect(listSupersessions(await store.chunks.indexedSources())).toHaveLength(2);
    await remove(store, 'newer.md');
    await ingest(subject(), { ...document('new.md', ['oak']), supersedes: 'other.md' });
    expect(await links()).toEqual([{ sourceFile: 'new.md', supersedes: 'other.md' }]);
    await ingest(subject(), document('new.md', ['pine']));
    expect(await links()).toEqual([]);
    expect(listSupersessions(await store.chunks.indexedSources())).toEqual([]);
  });

  it('takes it along with a source that has another path now', async () => {
    const said = { supersedes: 'old.md' };
    await ingest(subject(), { ...document('new.md', ['walnut']), ...said });
    await ingest(subject(), { ...document('b.md', ['walnut']), ...said, movedFrom: 'new.md' });
    expect(await links()).toEqual([{ sourceFile: 'b.md', supersedes: 'old.md' }]);
  });
}
