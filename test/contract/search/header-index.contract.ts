import { expect } from 'vitest';
import { HEADER_WEIGHT } from '../../../src/domain/limits.js';
import { cosineSimilarity, type Vector } from '../../../src/domain/ranking/vector.js';
import { document, vector } from '../../support/chunks.js';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';
import { cosineTo, ingest, put } from '../harness/steps.js';

/** What every HeaderIndex does. */
export function describeHeaderIndex(name: string, options: ContractOptions): void {
  contractSuite(`HeaderIndex: ${name}`, options, ({ it, subject }) => {
    const pending = async () => (await subject().store.headers.pending(10)).map(({ text }) => text);

    it('has the title and path of each source whose path or title holds words', async () => {
      await ingest(subject(), { ...document('docs/a-b.md', ['x']), names: { title: 'Locks' } });
      await ingest(subject(), document('.knowledge/features/pool-size/reflection.md', ['x']));
      await ingest(subject(), document('1', ['x']));
      expect((await pending()).toSorted()).toEqual(['Locks\ndocs/a-b.md', 'pool-size']);
      expect(await subject().store.headers.pending(1)).toHaveLength(1);
    });

    it('is compared with a query together with the vectors of the chunks', async () => {
      await ingestTwo(subject());
      const { vectors, headers } = subject().store;
      await headers.put([{ sourceFile: 'walnut', text: 'walnut', vector: vector(0, 5) }]);
      const sum = vector(1, HEADER_WEIGHT);
      expect(await pending()).toEqual(['copper']);
      const expected = new Map([
        ['walnut#0', cosineSimilarity(QUERY, sum)],
        ['copper#0', cosineSimilarity(QUERY, vector(1))],
      ]);
      for (const [id, cosine] of expected)
        expect(await cosineTo(subject(), QUERY, id)).toBeCloseTo(cosine, 5);
      const nearest = await vectors.nearest(QUERY, { sourceTypes: 'all' }, 2);
      expect(nearest.map(({ chunkId }) => chunkId)).toEqual([...expected.keys()]);
      for (const { chunkId, cosine } of nearest)
        expect(cosine).toBeCloseTo(expected.get(chunkId) ?? 9, 6);
      const filtered = await vectors.nearest(QUERY, { sourceTypes: ['file'], folders: [] }, 2);
      expect(filtered).toEqual([]);
      const { mean } = await vectors.cosineStatistics(QUERY);
      expect(mean).toBeCloseTo(
        [...expected.values()].reduce((sum, one) => sum + one / 2, 0),
        5,
      );
      expect(direction(await vectors.vectorsOf(['walnut#0']))).toEqual([1, 0]);
    });

    it('counts for vectors that are stored later, and that of a new header once it is there', async () => {
      await ingest(subject(), document('walnut', ['w']));
      const { headers } = subject().store;
      await headers.put([{ sourceFile: 'walnut', text: 'walnut', vector: vector(0, 1) }]);
      await put(subject(), 'walnut#0', 'w', vector(1));
      expect(await cosineTo(subject(), QUERY, 'walnut#0')).toBeCloseTo(
        cosineSimilarity(QUERY, vector(1, HEADER_WEIGHT)),
        5,
      );
      const renamed = {
        ...document('walnut', ['w']),
        contentHash: 'other',
        names: { title: 'Nut' },
      };
      await ingest(subject(), renamed);
      expect(await pending()).toEqual(['Nut\nwalnut']);
      await headers.put([{ sourceFile: 'walnut', text: 'walnut', vector: vector(0, 0, 1) }]);
      expect(await pending()).toEqual(['Nut\nwalnut']);
      await headers.put([{ sourceFile: 'walnut', text: 'Nut\nwalnut', vector: vector(0, 0, 1) }]);
      expect(await cosineTo(subject(), QUERY, 'walnut#0')).toBeCloseTo(
        cosineSimilarity(QUERY, vector(1, 0, HEADER_WEIGHT)),
        5,
      );
    });

    it('is done where its vector cannot be used, and its chunks are compared without it', async () => {
      await ingestTwo(subject());
      const unusable = [vector(), new Float32Array(3), vector(Number.NaN)];
      for (const values of unusable) {
        await subject().store.headers.put([
          { sourceFile: 'walnut', text: 'walnut', vector: values },
        ]);
        expect(await pending()).toEqual(['copper']);
        expect(await cosineTo(subject(), QUERY, 'walnut#0')).toBeCloseTo(
          cosineSimilarity(QUERY, vector(1)),
          5,
        );
      }
    });
  });
}

const QUERY = vector(2, 1);

async function ingestTwo(subject: Subject): Promise<void> {
  for (const file of ['copper', 'walnut']) {
    await ingest(subject, document(file, [file]));
    await put(subject, `${file}#0`, file, vector(1));
  }
}

function direction(vectors: ReadonlyMap<string, Vector>): readonly (number | undefined)[] {
  const [values] = vectors.values();
  return [values?.[0], values?.[1]];
}
