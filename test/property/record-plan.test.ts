import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChunkRecord,
  type PresentRecords,
  planRecords,
  type RecordPlan,
} from '../../src/domain/transfer/records.js';
import { chunk } from '../support/chunks.js';
import { runs } from '../support/seed.js';

const FILES = ['a.md', 'b.md', 'c.md'];
const NOTHING: PresentRecords = { hashes: new Map(), texts: new Map() };

/** Few files, places and texts, so that records of the same chunk meet. */
const record: fc.Arbitrary<ChunkRecord> = fc
  .record(
    {
      file: fc.constantFrom(...FILES),
      place: fc.nat({ max: 2 }),
      content: fc.constantFrom('copper', 'tin'),
      contentHash: fc.constantFrom('1', '2', 'pushed:1'),
    },
    { requiredKeys: ['file', 'place', 'content'] },
  )
  .map(({ file, place, content, ...rest }) => {
    const { projectPath: _, ...own } = { ...chunk(file, place), content };
    return { chunk: own, retrievalCount: 0, ...rest };
  });
const records = fc.array(record, { maxLength: 12 });

describe('how records are added to a store', () => {
  it('adds each id once, and merges or leaves out all others', () => {
    fc.assert(
      fc.property(records, (all) => {
        const { added, merged, counts } = planRecords(all, NOTHING);
        const ids = added.map(({ chunk: { id } }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(merged.every(({ chunk: { id } }) => ids.includes(id))).toBe(true);
        expect(counts.added + counts.merged + counts.different).toBe(all.length);
      }),
      runs(300),
    );
  });

  it('is done after the first time: the same records are merged, or left out as before', () => {
    fc.assert(
      fc.property(records, (all) => {
        const first = planRecords(all, NOTHING);
        const again = planRecords(all, after(first, NOTHING));
        expect([again.sources, again.added]).toEqual([[], []]);
        expect(again.counts.different).toBe(first.counts.different);
      }),
      runs(300),
    );
  });

  it('never touches a source that the store has indexed in another version', () => {
    fc.assert(
      fc.property(records, (all) => {
        const present = { ...NOTHING, hashes: new Map([['a.md', '1']]) };
        const { sources, added } = planRecords(all, present);
        const files = [...sources, ...added.filter(({ contentHash }) => contentHash === '2')];
        expect(JSON.stringify(files)).not.toContain('a.md');
      }),
      runs(300),
    );
  });

  it('has a source count as changed until all of it is there, unless it was pushed', () => {
    const from = (contentHash: string) => planRecords([{ ...ANY, contentHash }], NOTHING).sources;
    expect(from('1')).toMatchObject([{ contentHash: '' }]);
    expect(from('pushed:1')).toMatchObject([{ contentHash: 'pushed:1' }]);
  });
});

const ANY: ChunkRecord = { chunk: chunk('a.md', 0), retrievalCount: 0 };

/** What the store has after a plan was carried out. */
function after({ sources, added }: RecordPlan, before: PresentRecords): PresentRecords {
  const hashes = sources.map(({ sourceFile, contentHash }) => [sourceFile, contentHash] as const);
  const texts = added.map((own) => [own.chunk.id, own.chunk] as const);
  return {
    hashes: new Map([...before.hashes, ...hashes]),
    texts: new Map([...before.texts, ...texts]),
  };
}
