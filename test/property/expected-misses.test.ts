import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ComparedVector,
  expectedMisses,
} from '../../src/adapters/sqlite/vectors/expected-misses.js';
import { quantized } from '../../src/adapters/sqlite/vectors/neighbour-table.js';
import type { Vector } from '../../src/domain/ranking/vector.js';
import { runs } from '../support/seed.js';

const [DIMENSIONS, VECTORS, WANTED] = [384, 800, 50];

describe('expectedMisses', () => {
  it('is what a normal distribution of the ratios predicts', () => {
    const sample = [0.9, 1.1].map((ratio) => ({ distance: 1, codeDistance: 10 * ratio }));
    const deviation = Math.SQRT2 / 10;
    expect(expectedMisses([1], 10, sample)).toBeCloseTo(0.5, 5);
    expect(expectedMisses([1], 10 * (1 + deviation), sample)).toBeCloseTo(0.158655, 5);
    expect(expectedMisses([1], 10 * (1 + 3 * deviation), sample)).toBeCloseTo(0.00135, 5);
    expect(expectedMisses([1, 1], 10 * (1 - 3 * deviation), sample)).toBeCloseTo(1.9973, 4);
  });

  it('promises nothing where all vectors equal the query', () => {
    const sample = Array.from({ length: 50 }, () => ({ distance: 0, codeDistance: 0 }));
    expect(expectedMisses([0, 0], 0, sample)).toBeNaN();
  });

  it('is below 1 in 1,000 only where no neighbour is missed, by either distance of codes', () => {
    const accepted = { whole: 0, wrong: 0 };
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(0.001, 0.02, 0.3, 2), (seed, spread) => {
        const vectors = cluster(seed, spread).map((vector) => ({ vector, code: codesOf(vector) }));
        for (const form of [
          { distance: l1, candidates: 120 },
          { distance: l1, candidates: 250 },
          { distance: l1, candidates: 700 },
          { distance: l2, candidates: 53 },
          { distance: l2, candidates: 60 },
          { distance: l2, candidates: 150 },
        ]) {
          const { misses, isWhole } = lookUp(vectors, form);
          if (misses < 0.001) accepted[isWhole ? 'whole' : 'wrong'] += 1;
        }
      }),
      runs(15),
    );
    expect(accepted.wrong).toBe(0);
    expect(accepted.whole).toBeGreaterThan(15);
  });
});

/** A query, and vectors of which half scatter around it and half around nothing. */
function cluster(seed: number, spread: number): readonly Vector[] {
  const noise = generator(seed);
  const centre = noise();
  return Array.from({ length: VECTORS + 1 }, (_, n) => {
    const aside = noise();
    return n % 2 === 0 ? centre.map((value, i) => value + spread * (aside[i] ?? 0)) : aside;
  }).map(toUnit);
}

interface CodedVector {
  readonly vector: Vector;
  readonly code: Int8Array;
}

/** The nearest by distance among the candidates, which are the nearest by the distance of codes. */
function lookUp(
  [query, ...vectors]: readonly CodedVector[],
  form: { readonly distance: typeof l1; readonly candidates: number },
): { readonly misses: number; readonly isWhole: boolean } {
  if (query === undefined) throw new Error('There is no query.');
  const compared = vectors
    .map(({ vector, code }) => ({
      distance: l2(query.vector, vector),
      codeDistance: form.distance(query.code, code),
    }))
    .toSorted((a, b) => a.codeDistance - b.codeDistance);
  const candidates = compared.slice(0, form.candidates);
  const [nearest, found] = [compared, candidates].map(nearestOf);
  const distances = (found ?? []).map(({ distance }) => distance);
  const misses = expectedMisses(distances, candidates.at(-1)?.codeDistance ?? 0, found ?? []);
  return { misses, isWhole: nearest?.at(-1)?.distance === distances.at(-1) };
}

function nearestOf(compared: readonly ComparedVector[]): readonly ComparedVector[] {
  return compared.toSorted((a, b) => a.distance - b.distance).slice(0, WANTED);
}

function codesOf(vector: Vector): Int8Array {
  return new Int8Array(quantized(vector) ?? []);
}

type Numbers = Vector | Int8Array;

function l1(a: Numbers, b: Numbers): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i += 1) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0));
  return sum;
}

function l2(a: Numbers, b: Numbers): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i += 1) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return Math.sqrt(sum);
}

function toUnit(vector: Vector): Vector {
  const length = l2(vector, new Float32Array(DIMENSIONS));
  return vector.map((value) => value / length);
}

/** Makes vectors of values from -1 to 1. */
function generator(seed: number): () => Vector {
  let state = seed | 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
  return () => Float32Array.from({ length: DIMENSIONS }, next);
}
