import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Chunk, chunkId } from '../../src/domain/chunks/chunk.js';
import { tokenCost } from '../../src/domain/chunks/text.js';
import { neighbourIds, withNeighbours } from '../../src/domain/ranking/budget.js';
import { chunk } from '../support/chunks.js';
import { runs } from '../support/seed.js';

const CHUNKS_PER_SOURCE = 6;

/** Two sources whose texts are told apart by their first characters. */
const sources = fc
  .array(fc.nat({ max: 30 }), {
    minLength: 2 * CHUNKS_PER_SOURCE,
    maxLength: 2 * CHUNKS_PER_SOURCE,
  })
  .map((lengths) =>
    lengths.map((length, i) => {
      const [source, place] = [Math.floor(i / CHUNKS_PER_SOURCE), i % CHUNKS_PER_SOURCE];
      return chunk(`${source}.md`, place, { content: `<${source}.${place}${'x'.repeat(length)}>` });
    }),
  );
const found = sources.chain((all) =>
  fc.record({ all: fc.constant(all), hits: fc.shuffledSubarray(all) }),
);
const room = fc.nat({ max: 60 });

it('joins neighbours as far as the budget goes, each text once, and changes nothing else', () => {
  fc.assert(
    fc.property(found, room, ({ all, hits }, rest) => {
      const used = cost(hits);

      const joined = withNeighbours(hits, neighboursOf(hits, all), used + rest);

      expect(cost(joined)).toBeLessThanOrEqual(used + rest);
      expect(joined.map(withoutContent)).toEqual(hits.map(withoutContent));
      const shown = joined.flatMap(({ content }) => content.split('\n\n'));
      expect(shown).toHaveLength(new Set(shown).size);
      joined.forEach(({ content }, i) => {
        const { sourceFile, chunkIndex } = hits[i] as Chunk;
        const around = [-1, 0, 1].flatMap((step) => textOf(all, sourceFile, chunkIndex + step));
        expect(around.filter((text) => content.includes(text)).join('\n\n')).toBe(content);
        expect(content).toContain(hits[i]?.content);
      });
    }),
    runs(500),
  );
});

it('leaves out only what does not fit into the rest, or is shown already', () => {
  fc.assert(
    fc.property(found, room, ({ all, hits }, rest) => {
      const maxTokens = cost(hits) + rest;
      const joined = withNeighbours(hits, neighboursOf(hits, all), maxTokens);
      const left = maxTokens - cost(joined);
      const shown = joined.map(({ content }) => content).join();
      for (const { content } of neighboursOf(hits, all)) {
        const fits = tokenCost(`\n\n${content}`) <= left;
        if (!shown.includes(content)) expect(fits).toBe(false);
      }
    }),
    runs(500),
  );
});

function neighboursOf(hits: readonly Chunk[], all: readonly Chunk[]): readonly Chunk[] {
  const ids = hits.flatMap(neighbourIds);
  return all.filter(({ id }) => ids.includes(id));
}

function textOf(all: readonly Chunk[], sourceFile: string, place: number): readonly string[] {
  const id = chunkId(sourceFile, place);
  return all.flatMap((one) => (one.id === id ? one.content : []));
}

function cost(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { content }) => sum + tokenCost(content), 0);
}

function withoutContent({ content: _, ...rest }: Chunk) {
  return rest;
}
