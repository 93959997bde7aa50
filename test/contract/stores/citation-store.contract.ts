import { expect } from 'vitest';
import type { DraftChunk } from '../../../src/domain/chunks/chunk.js';
import type { Citation } from '../../../src/domain/citations/citation.js';
import { document, draft } from '../../support/chunks.js';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';
import { ingest } from '../harness/steps.js';

/** The contract of `CitationStore`. */
export function describeCitationStore(name: string, options: ContractOptions): void {
  contractSuite(`CitationStore: ${name}`, options, ({ it, subject }) => {
    it('keeps what chunks cite, with the time, and leaves out chunks that cite nothing', async () => {
      const lines = { from: 4, to: 8 };
      const ofLines = { path: 'src/b.ts', fileHash: 'h2', lines, linesHash: 'l1' };
      await ingest(subject(), document('a', [citing('one', ofFile('h1'), ofLines), 'two']));
      const { harness, store } = subject();
      expect(await store.citations.find({ chunkIds: ['a#1', 'a#0', 'gone#0'] })).toEqual([
        {
          chunkId: 'a#0',
          citedAt: harness.clock.now().toISOString(),
          citations: [
            { ...ofFile('h1'), state: 'current' },
            { ...ofLines, state: 'current' },
          ],
        },
      ]);
    });

    it('judges a chunk from when its text was written, not from when its source was', async () => {
      await ingest(
        subject(),
        document('a', [citing('one', ofFile('old')), citing('two', ofFile('old'))]),
      );
      const since = subject().harness.clock.now().toISOString();
      await ingest(
        subject(),
        document('a', [citing('new', ofFile('now')), citing('two', ofFile('now'))]),
      );
      expect(await hashes(subject(), ['a#0', 'a#1'])).toEqual(['now', 'old']);
      expect(await subject().store.citations.find({ chunkIds: ['a#1'] })).toMatchObject([
        { citedAt: since },
      ]);
    });

    it('renews the citations of all chunks if the document says so', async () => {
      await ingest(
        subject(),
        document('a', [citing('one', ofFile('old')), citing('two', ofFile('old'))]),
      );
      const renewed = document('a', [citing('one', ofFile('now')), 'two']);
      await ingest(subject(), { ...renewed, citations: 'renewed' });
      expect(await hashes(subject(), ['a#0', 'a#1'])).toEqual(['now']);
    });

    it('gives a kept chunk without citations the citations of the document', async () => {
      await ingest(subject(), document('a', ['one']));
      await ingest(subject(), document('a', [citing('one', ofFile('now'))]));
      expect(await hashes(subject(), ['a#0'])).toEqual(['now']);
    });

    it('takes them along when chunks move within a source and with it', async () => {
      const [one, two] = [citing('one', ofFile('1')), citing('two', ofFile('2'))];
      await ingest(subject(), document('a', [one, two]));
      await ingest(subject(), document('a', ['first', two, one]));
      expect(await hashes(subject(), ['a#1', 'a#2'])).toEqual(['2', '1']);
      const moved = { ...document('a', ['first', two, one]), sourceFile: 'b', movedFrom: 'a' };
      await ingest(subject(), moved);
      expect(await hashes(subject(), ['b#1', 'b#2'])).toEqual(['2', '1']);
    });

    it('drops them with their chunks', async () => {
      const source = document('a', [citing('one', ofFile('1')), citing('two', ofFile('2'))]);
      await ingest(subject(), source);
      await ingest(subject(), document('a', ['three', source.chunks[1] as DraftChunk]));
      expect(await hashes(subject(), ['a#0', 'a#1'])).toEqual(['2']);
      await subject().store.chunks.replaceSources([{ sourceFile: 'a', document: undefined }]);
      await ingest(subject(), document('a', ['one', 'two']));
      expect(await subject().store.citations.citedPaths()).toEqual([]);
    });

    it('stores a verdict for every chunk that has the citation, and lists the chunks that are stale', async () => {
      const lines = { from: 4, to: 8 };
      const ofLines = { path: 'src/b.ts', fileHash: 'h2', lines, linesHash: 'l1' };
      const { citations } = subject().store;
      await ingest(subject(), document('b', [citing('one', ofFile('h1'), ofLines), 'two']));
      await ingest(
        subject(),
        document('a', [citing('three', ofFile('h1')), citing('four', ofLines)]),
      );
      await ingest(subject(), document('c', [citing('five', ofFile('other'))]));
      expect([...(await citations.citedPaths())].sort()).toEqual(['src/a.ts', 'src/b.ts']);
      const current = { ...ofLines, state: 'current' };
      const known = await citations.find({ path: 'src/b.ts' });
      expect(known).toMatchObject([
        { chunkId: 'a#1', citations: [current] },
        { chunkId: 'b#0', citations: [current] },
      ]);
      expect(known[1]?.citations).toHaveLength(1);
      expect(await citations.find({ path: 'src/none.ts' })).toEqual([]);
      const moved = { ...ofLines, state: 'current', movedTo: { from: 5, to: 9 } } as const;
      const changed = { ...ofFile('h1'), state: 'changed' } as const;
      await citations.judge([moved, changed]);
      const stale = await citations.find('stale');
      expect(stale.map(({ chunkId }) => chunkId)).toEqual(['a#0', 'b#0']);
      expect(stale[1]?.citations).toEqual([changed, moved]);
      expect(await citations.find({ chunkIds: ['a#1', 'c#0'] })).toMatchObject([
        { citations: [moved] },
        { citations: [{ ...ofFile('other'), state: 'current' }] },
      ]);
      await citations.judge([
        { ...changed, state: 'current' },
        { ...ofLines, state: 'current' },
      ]);
      expect(await citations.find('stale')).toEqual([]);
      expect(await citations.find({ path: 'src/b.ts' })).toEqual(known);
    });
  });
}

function ofFile(fileHash: string): Citation {
  return { path: 'src/a.ts', fileHash };
}

function citing(content: string, ...citations: readonly Citation[]): DraftChunk {
  return draft(content, { citations });
}

/** The hashes of the cited files, in the order of the chunk ids. */
async function hashes({ store }: Subject, ids: readonly string[]): Promise<readonly string[]> {
  const kept = new Map(
    (await store.citations.find({ chunkIds: ids })).map((one) => [one.chunkId, one.citations]),
  );
  return ids.flatMap((id) => kept.get(id)?.map(({ fileHash }) => fileHash) ?? []);
}
