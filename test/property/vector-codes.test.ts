import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  loadDotProducts,
  type NewDotProducts,
} from '../../src/adapters/sqlite/vectors/dot-products.js';
import { VectorCodes } from '../../src/adapters/sqlite/vectors/vector-codes.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { dot, normalized, type Vector } from '../../src/domain/ranking/vector.js';
import { runs } from '../support/seed.js';

const value = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(0, 1, -1, 0.5 / 127, 1e-30),
);

const unit: fc.Arbitrary<Vector> = fc
  .array(value, { minLength: EMBEDDING_DIMENSIONS, maxLength: EMBEDDING_DIMENSIONS })
  .map((values) => normalized(Float32Array.from(values)))
  .filter((vector) => vector !== undefined);

let newDotProducts: NewDotProducts;

beforeAll(async () => {
  newDotProducts = await loadDotProducts();
});

describe('VectorCodes', () => {
  it('estimates every cosine within the error that it states', () => {
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 5 }), unit, (rows, query) => {
        expectWithinErrors(rows, query);
      }),
      runs(200),
    );
  });

  it('states enough for the query that is hardest to estimate: what the codes leave over', () => {
    fc.assert(
      fc.property(unit, (row) => {
        const query = normalized(leftOver(row));
        if (query !== undefined) expectWithinErrors([row], query);
      }),
      runs(200),
    );
  });

  it('states little where values are alike, as those of embeddings are', () => {
    const row = waves(1);
    const { errors } = codesOf([row]).estimate(row);
    expect(errors[0]).toBeLessThan(0.01);
  });

  it('keeps thousands of rows apart', () => {
    const rows = Array.from({ length: 3000 }, (_, i) => waves(i));
    expectWithinErrors(rows, waves(2500));
  });

  it('has nothing to estimate without rows', () => {
    expect(codesOf([]).estimate(waves(1)).cosines).toHaveLength(0);
  });
});

function codesOf(rows: readonly Vector[]): VectorCodes {
  const codes = new VectorCodes(newDotProducts, 384);
  for (const row of rows) codes.add(row);
  return codes;
}

function expectWithinErrors(rows: readonly Vector[], query: Vector): void {
  const { cosines, errors } = codesOf(rows).estimate(query);
  expect([cosines.length, errors.length]).toEqual([rows.length, rows.length]);
  for (const [i, row] of rows.entries()) {
    const off = Math.abs(dot(query, row) - (cosines[i] as number));
    expect(off).toBeLessThanOrEqual(errors[i] as number);
  }
}

/** What rounding to the 127th part of the largest value takes away. */
function leftOver(row: Vector): Vector {
  const step = Math.max(...row.map(Math.abs)) / 127;
  return row.map((value) => value - Math.floor(value / step + 0.5) * step);
}

function waves(seed: number): Vector {
  const values = Float32Array.from({ length: EMBEDDING_DIMENSIONS }, (_, i) =>
    Math.sin(seed * 131 + i * i * 0.7),
  );
  return normalized(values) ?? values;
}
