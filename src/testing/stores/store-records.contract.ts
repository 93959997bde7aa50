import { expect } from 'vitest';
import type { ChunkRecord } from '../../domain/transfer/records.js';
import type { ProjectStore } from '../../ports/driven/project-stores.js';
import { document, draft } from '../harness/chunks.js';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';
import { found, ingest } from '../harness/steps.js';
import { allRecords, declareListing, recordOf } from './store-records-listing.contract.js';

/** What every StoreRecords does. */
export function describeStoreRecords(name: string, options: ContractOptions): void {
  contractSuite(`StoreRecords: ${name}`, options, ({ it, subject }) => {
    it('returns every chunk with what belongs to it, in the order in which they were stored', async () => {
      await fill(subject());
      expect(await allRecords(subject().store)).toMatchObject([
        {
          chunk: {
            id: 'b.md#0',
            heading: 'Metals',
            content: 'copper',
            tags: ['x'],
            importance: 0.9,
          },
          contentHash: document('b.md', DRAFTS).contentHash,
          retrievalCount: 2,
          lastRetrievedAt: '2026-03-01T00:00:00.000Z',
          questions: ['Why copper?'],
        },
        { chunk: { id: 'b.md#1', content: '用户认证' }, retrievalCount: 0 },
        { chunk: { id: 'a.md#0', content: 'walnut' }, retrievalCount: 0 },
      ]);
    });

    it('returns pages of at most `limit`, and the same chunks on any pages', async () => {
      await fill(subject());
      const all = await allRecords(subject().store);
      const { records, next } = await subject().store.records.page(undefined, 2);
      expect(records).toEqual(all.slice(0, 2));
      expect(await subject().store.records.page(next, 100)).toEqual({ records: all.slice(2) });
    });

    it('copies a store into an empty one, where the same is found in the same order', async () => {
      await fill(subject());
      const copy = await emptyStore(subject());
      const records = await allRecords(subject().store);
      const sources = await sourcesOf(subject().store);
      const counts = { added: 3, merged: 0, different: 0 };
      expect(await copy.store.records.add(records)).toEqual(counts);
      await copy.store.records.addSources(sources);
      expect(await allRecords(copy.store)).toEqual(records);
      expect(await sourcesOf(copy.store)).toEqual(sources);
      for (const query of ['copper', '认证', 'walnut']) {
        expect(await found(copy, query)).toEqual(await found(subject(), query));
      }
    });

    it('copies a document that was pushed, with the number of its chunks', async () => {
      const pushed = { ...document('a.md', ['copper', 'tin']), contentHash: 'pushed:1' };
      await ingest(subject(), pushed);
      const copy = await emptyStore(subject());
      await copy.store.records.add(await allRecords(subject().store));
      const sources = await sourcesOf(subject().store);
      await copy.store.records.addSources(sources);
      expect(await sourcesOf(copy.store)).toEqual(sources);
    });

    it('is idempotent, and keeps the higher counts, the later date and the questions', async () => {
      const { store } = subject();
      await ingest(subject(), document('a.md', ['copper']));
      const record = await onlyRecord(store);
      const imported = {
        ...record,
        retrievalCount: 7,
        lastRetrievedAt: '2026-05-01T00:00:00.000Z',
        questions: ['Why?'],
      };
      const merged = { added: 0, merged: 1, different: 0 };
      expect(await store.records.add([imported])).toEqual(merged);
      expect(await store.records.add([{ ...record, questions: ['How?'] }])).toEqual(merged);
      expect(await allRecords(store)).toEqual([imported]);
    });

    it('leaves out another text of a chunk, and another version of a source', async () => {
      const { store } = subject();
      await ingest(subject(), document('a.md', ['copper']));
      const record = await onlyRecord(store);
      const otherText = { ...record, chunk: { ...record.chunk, content: 'tin' } };
      const otherVersion = {
        ...record,
        chunk: { ...record.chunk, id: 'a.md#1', chunkIndex: 1, content: 'iron' },
        contentHash: 'another',
      };
      const different = { added: 0, merged: 0, different: 2 };
      expect(await store.records.add([otherText, otherVersion])).toEqual(different);
      await store.records.addSources([{ ...SOURCE, contentHash: 'another' }]);
      expect(await allRecords(store)).toEqual([record]);
    });

    it('takes a source for changed until it is remembered', async () => {
      await ingest(subject(), document('a.md', ['copper', 'tin']));
      const records = await allRecords(subject().store);
      const { store } = await emptyStore(subject());
      await store.records.add(records.slice(0, 1));
      const whole = document('a.md', ['copper', 'tin']);
      expect(await store.chunks.replaceSource('a.md', async () => whole)).toBe('indexed');
      expect((await allRecords(store)).map(({ chunk }) => chunk.id)).toEqual(['a.md#0', 'a.md#1']);
    });

    it('never lets an ingestion change a chunk of another program', async () => {
      const { store } = subject();
      const { contentHash: _, ...foreign } = recordOf('a.md#0', 'copper');
      await store.records.add([foreign]);
      expect(await allRecords(store)).toEqual([foreign]);
      await ingest(subject(), document('a.md', ['tin', 'iron']));
      await store.chunks.replaceSource('a.md', async () => undefined);
      expect(await allRecords(store)).toEqual([foreign]);
    });
    declareListing({ it, subject });
  });
}

const DRAFTS = [
  draft('copper', { heading: 'Metals', tags: ['x'], importance: 0.9 }),
  draft('用户认证'),
];
const SOURCE = { sourceType: 'file', sourceFile: 'a.md', documentChunkCount: 1 } as const;

async function fill(subject: Subject): Promise<void> {
  const { store } = subject;
  await ingest(subject, document('b.md', DRAFTS));
  await ingest(subject, document('a.md', ['walnut']));
  await store.questions.save({ id: 'b.md#0', text: 'Metals\ncopper' }, ['Why copper?']);
  await store.retrievals.record(['b.md#0'], new Date('2026-02-01T00:00:00.000Z'));
  await store.retrievals.record(['b.md#0'], new Date('2026-03-01T00:00:00.000Z'));
}

async function emptyStore({ harness }: Subject): Promise<Subject> {
  return { harness, store: await harness.stores.open(harness.otherProjectPath) };
}

async function onlyRecord(store: ProjectStore): Promise<ChunkRecord> {
  const [record] = await allRecords(store);
  return record as ChunkRecord;
}

async function sourcesOf({ chunks }: ProjectStore) {
  const sources = await chunks.indexedSources();
  return sources
    .map(({ chunkCount: _, ...source }) => source)
    .toSorted((a, b) => (a.sourceFile < b.sourceFile ? -1 : 1));
}
