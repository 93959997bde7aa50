import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projected } from '../../src/domain/overview/projection.js';

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

function vectorOf(size: number) {
  return fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: size, maxLength: size })
    .map((values) => Float32Array.from(values));
}
