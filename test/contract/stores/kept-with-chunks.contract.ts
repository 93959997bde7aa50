import { expect } from 'vitest';
import { KEPT_VECTORS_MS } from '../../../src/domain/limits.js';
import { document, draft, vector } from '../../support/chunks.js';
import type { ContractOptions } from '../harness/contract-suite.js';
import { contractSuite, type Suite } from '../harness/contract-suite.js';
import { ingest, put, remove } from '../harness/steps.js';

/** The contract for data that stores keep beside the columns of chunks. */
export function describeKeptWithChunks(name: string, options: ContractOptions): void {
  contractSuite(`What is kept with chunks: ${name}`, options, (suite) => {
    declareLines(suite);
    declareKeptVectors(suite);
    declareExpiry(suite);
  });
}

function declareLines({ it, subject }: Suite): void {
  const lined = (...lines: readonly number[]) =>
    document(
      'a',
      lines.map((line) => draft(`text ${line % 10}`, { line })),
    );

  it('returns the lines on which chunks begin, if their documents give them', async () => {
    const { store } = subject();
    await ingest(subject(), lined(1, 12));
    await ingest(subject(), document('b', ['copper']));
    const lines = await store.chunks.findLines(['a#1', 'b#0', 'a#0', 'none#0']);
    expect(new Map(lines)).toEqual(
      new Map([
        ['a#1', 12],
        ['a#0', 1],
      ]),
    );
  });

  it('follows chunks whose text is the same in other lines, at other places and in another file', async () => {
    const { store } = subject();
    await ingest(subject(), lined(1, 12));
    await ingest(subject(), lined(3, 21, 32));
    expect([...(await store.chunks.findLines(['a#0', 'a#1', 'a#2'])).values()].toSorted()).toEqual(
      [21, 3, 32].toSorted(),
    );
    await remove(store, 'a');
    expect(await store.chunks.findLines(['a#0', 'a#1'])).toEqual(new Map());
  });
}

function declareKeptVectors({ it, subject }: Suite): void {
  const content = async () => (await subject().store.vectors.status('content')).complete;

  it.each([
    [
      'comes back with its file',
      async () => {
        await remove(subject().store, 'a');
        await ingest(subject(), document('a', ['copper']));
      },
    ],
    [
      'comes back with the former text of its file',
      async () => {
        await ingest(subject(), document('a', ['walnut']));
        expect(await content()).toBe(0);
        await ingest(subject(), document('a', ['copper']));
      },
    ],
    [
      'is in another file after that',
      async () => {
        await remove(subject().store, 'a');
        await ingest(subject(), document('b', ['walnut', 'copper']));
      },
    ],
    [
      'was pruned and is restored',
      async () => {
        const { store, harness } = subject();
        harness.clock.advance(1000);
        await store.chunks.deleteChunks(['a#0'], harness.clock.now());
        await store.chunks.replaceSources([
          { sourceFile: 'a', document: document('a', ['copper']), unchanged: 'restore' },
        ]);
      },
    ],
  ] as const)('gives a text its vector at once that %s', async (_, comeBack) => {
    const { store } = subject();
    await ingest(subject(), document('a', ['copper']));
    await put(subject(), 'a#0', 'copper', vector(1, 2));
    await comeBack();
    expect(await content()).toBe(1);
    const [nearest] = await store.vectors.nearest(vector(1, 2), { sourceTypes: 'all' }, 1);
    expect(nearest?.cosine).toBeCloseTo(1, 5);
  });

  it('does so with the vector of a header', async () => {
    const { store } = subject();
    const named = { ...document('docs/a.md', ['copper']), names: { title: 'Metals' } };
    await ingest(subject(), named);
    const [header] = await store.vectors.pending('headers', 1);
    await store.vectors.put('headers', [
      { id: 'docs/a.md', texts: header?.texts ?? [], vector: vector(3) },
    ]);
    await remove(store, 'docs/a.md');
    await ingest(subject(), named);
    expect(await store.vectors.pending('headers', 10)).toEqual([]);
  });

  it('keeps a vector for 30 days', async () => {
    const { store, harness } = subject();
    await ingest(subject(), document('a', ['copper']));
    await put(subject(), 'a#0', 'copper', vector(1, 2));
    await remove(store, 'a');
    harness.clock.advance(KEPT_VECTORS_MS + 1000);
    await ingest(subject(), document('b', ['walnut']));
    await put(subject(), 'b#0', 'walnut', vector(1));
    await remove(store, 'b');
    await ingest(subject(), document('c', ['copper', 'walnut']));
    expect(await content()).toBe(1);
  });

  it('keeps a chunk that was written after the pruning began', async () => {
    const { store, harness } = subject();
    await ingest(subject(), document('a', ['copper']));
    harness.clock.advance(1000);
    const startedAt = harness.clock.now();
    await ingest(subject(), document('a', ['walnut']));
    expect(await store.chunks.deleteChunks(['a#0'], startedAt)).toEqual([]);
  });
}

function declareExpiry({ it, subject }: Suite): void {
  it('knows which sources expire', async () => {
    const { store } = subject();
    await ingest(subject(), { ...document('a', ['copper']), expires: '2026-05-01' });
    await ingest(subject(), document('b', ['walnut']));
    expect(await store.chunks.indexedSources('expiring')).toMatchObject([
      { sourceFile: 'a', expires: '2026-05-01' },
    ]);
    await ingest(subject(), document('a', ['copper', 'walnut']));
    expect(await store.chunks.indexedSources('expiring')).toEqual([]);
  });
}
