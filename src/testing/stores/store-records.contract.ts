import { expect } from 'vitest';
import { surveyOf } from '../../domain/overview/chunk-survey.js';
import type { ChunkRecord } from '../../domain/transfer/records.js';
import type { ProjectStore } from '../../ports/driven/project-stores.js';
import type { RecordQuery } from '../../ports/driven/store-records.js';
import { document, draft } from '../harness/chunks.js';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';
import { found, ingest } from '../harness/steps.js';

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

    it.each([
      ['source', ['B.md#0', 'a.md#0', 'a.md#1', 'é.md#0']],
      ['most_retrieved', ['é.md#0', 'a.md#1', 'B.md#0', 'a.md#0']],
      ['least_retrieved', ['a.md#0', 'a.md#1', 'B.md#0', 'é.md#0']],
      ['newest', ['B.md#0', 'a.md#1', 'é.md#0', 'a.md#0']],
      ['longest', ['a.md#1', 'B.md#0', 'a.md#0', 'é.md#0']],
    ] as const)(
      'lists chunks in the order %s, as a whole, by pages and filtered',
      async (order, ids) => {
        const { records } = subject().store;
        await records.add(LISTED);
        const list = async (query: Partial<RecordQuery>) => {
          const { total, records: found } = await records.list({
            order,
            limit: 9,
            offset: 0,
            ...query,
          });
          return { total, ids: found.map(({ chunk }) => chunk.id) };
        };
        expect(await list({})).toEqual({ total: 4, ids });
        expect(await list({ limit: 2, offset: 1 })).toEqual({ total: 4, ids: ids.slice(1, 3) });
        const ofSource = ids.filter((id) => id.startsWith('a.md'));
        expect(await list({ sourceFile: 'a.md' })).toEqual({ total: 2, ids: ofSource });
        expect(await list({ sourceType: 'url' })).toEqual({ total: 1, ids: ['a.md#1'] });
        const all = await allRecords(subject().store);
        expect((await records.list({ order, limit: 9, offset: 0 })).records).toEqual(
          ids.map((id) => all.find(({ chunk }) => chunk.id === id)),
        );
      },
    );

    it('counts chunks by type and size, and by the day of their last retrieval', async () => {
      const { records } = subject().store;
      expect(surveyOf(await records.counts())).toMatchObject({ chunks: 0, types: [] });
      await records.add(LISTED);
      expect(surveyOf(await records.counts())).toEqual({
        ...{ chunks: 4, tokens: 1155, retrievals: 7, neverRetrieved: 1 },
        types: [
          { sourceType: 'manual', chunks: 3, tokens: 103, retrievals: 5 },
          { sourceType: 'url', chunks: 1, tokens: 1052, retrievals: 2 },
        ],
        sizes: expect.arrayContaining([
          { upTo: 50, chunks: 2 },
          { upTo: 200, chunks: 1 },
          { chunks: 1 },
        ]),
        lastRetrieved: [
          { day: '2026-01-31', chunks: 1 },
          { day: '2026-02-01', chunks: 2 },
        ],
      });
    });
  });
}

/** Each order differs from the others, and one is decided by a date, by a source or by a position. */
const LISTED: readonly ChunkRecord[] = [
  listed('a.md#0', { tokens: 1, updated: 1, retrievals: 0 }),
  listed('a.md#1', { tokens: 1052, updated: 3, retrievals: 2, last: '2026-02-01T23:59:59.000Z' }),
  listed('B.md#0', { tokens: 101, updated: 4, retrievals: 2, last: '2026-01-31T00:00:00.000Z' }),
  listed('é.md#0', { tokens: 1, updated: 2, retrievals: 3, last: '2026-02-01T00:00:00.000Z' }),
].map((record) =>
  record.chunk.id === 'a.md#1'
    ? { ...record, chunk: { ...record.chunk, sourceType: 'url' } }
    : record,
);

function listed(
  id: string,
  {
    tokens,
    updated,
    retrievals,
    last,
  }: { [Name in 'tokens' | 'updated' | 'retrievals']: number } & {
    readonly last?: string;
  },
): ChunkRecord {
  const { chunk, ...record } = recordOf(id, 'x'.repeat(4 * tokens));
  return {
    ...record,
    chunk: { ...chunk, updatedAt: `2026-01-0${updated}T00:00:00.000Z` },
    retrievalCount: retrievals,
    ...(last !== undefined && { lastRetrievedAt: last }),
  };
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

async function allRecords({ records }: ProjectStore): Promise<readonly ChunkRecord[]> {
  const all: ChunkRecord[] = [];
  for (let after: string | undefined; ; ) {
    const page = await records.page(after, 1);
    all.push(...page.records);
    if (page.next === undefined) return all;
    after = page.next;
  }
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

function recordOf(id: string, content: string): ChunkRecord {
  const [sourceFile = '', place] = id.split('#');
  const at = '2026-01-01T00:00:00.000Z';
  const dates = { createdAt: at, updatedAt: at };
  const rest = { sourceType: 'manual', importance: 0.5, chunkIndex: Number(place) } as const;
  return {
    chunk: { id, sourceFile, content, ...rest, ...dates },
    contentHash: 'hash',
    retrievalCount: 0,
  };
}
