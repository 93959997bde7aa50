import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHUNK_ORDERS, type Orderable, TopList } from '../../src/domain/overview/chunk-list.js';
import { projected } from '../../src/domain/overview/projection.js';

const entry = fc.record({
  id: fc.string({ maxLength: 3 }),
  sourceFile: fc.constantFrom('a', 'b', 'c'),
  chunkIndex: fc.nat(9),
  tokens: fc.nat(9),
  updatedAt: fc.constantFrom('2026-01-01', '2026-01-02'),
  retrievals: fc.nat(2),
});

describe('the first entries of a list', () => {
  test.each(CHUNK_ORDERS)('by %s are those of the whole list, sorted', (order) => {
    fc.assert(
      fc.property(fc.array(entry), fc.integer({ min: 1, max: 20 }), (entries, size) => {
        expect(firstOf(order, entries, size)).toEqual(
          firstOf(order, entries, entries.length + 1).slice(0, size),
        );
      }),
    );
  });

  test('are kept among many thousands', () => {
    const entries = Array.from({ length: 5000 }, (_, index) => ({
      ...{ id: `${index}`, sourceFile: 'a', chunkIndex: index, updatedAt: '', retrievals: 0 },
      tokens: (index * 7919) % 5000,
    }));
    const tokens = firstOf('longest', entries, 3).map((one) => one.tokens);
    expect(tokens).toEqual([4999, 4998, 4997]);
  });
});

describe('a projection', () => {
  const vectors = fc
    .integer({ min: 1, max: 8 })
    .chain((size) => fc.array(vectorOf(size), { minLength: 1, maxLength: 30 }));

  test('is finite, within -1 to 1, and the same point for the same vector', () => {
    fc.assert(
      fc.property(vectors, (given) => {
        const points = projected([...given, ...given]);
        for (const [index, { x, y }] of points.entries()) {
          expect(Math.abs(x)).toBeLessThanOrEqual(1);
          expect(Math.abs(y)).toBeLessThanOrEqual(1);
          expect(points[(index + given.length) % points.length]).toEqual({ x, y });
        }
      }),
    );
  });

  test('keeps two groups apart', () => {
    const group = (center: number) =>
      Array.from({ length: 20 }, (_, index) =>
        Float32Array.from({ length: 16 }, (_, d) => (d === center ? 1 : ((index * d) % 5) / 100)),
      );
    const points = projected([...group(3), ...group(9)]);
    const [left, right] = [points.slice(0, 20), points.slice(20)].map((some) =>
      some.map(({ x }) => x),
    );
    const isApart =
      Math.max(...(left ?? [])) < Math.min(...(right ?? [])) ||
      Math.max(...(right ?? [])) < Math.min(...(left ?? []));
    expect(isApart).toBe(true);
  });
});

function firstOf(
  order: (typeof CHUNK_ORDERS)[number],
  entries: readonly Orderable[],
  size: number,
) {
  const list = new TopList(order, size);
  for (const one of entries) list.add(one);
  return list.from(0);
}

function vectorOf(size: number) {
  return fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: size, maxLength: size })
    .map((values) => Float32Array.from(values));
}
