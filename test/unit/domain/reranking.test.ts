import { describe, expect, it } from 'vitest';
import {
  RERANK_WEIGHT,
  RerankerTrust,
  rerankedOrder,
} from '../../../src/domain/ranking/reranking.js';

const DOWN = Array.from({ length: 20 }, (_, place) => 20 - place);
const UP = DOWN.toReversed();

describe('the order after reranking', () => {
  it.each<{ readonly of: readonly (number | undefined)[]; readonly is: readonly number[] }>([
    { of: [0, 0, 1], is: [2, 0, 1] },
    { of: [-9, -3, -5], is: [1, 2, 0] },
    { of: [7, 7, 7], is: [0, 1, 2] },
    { of: [undefined, 2, 1], is: [1, 0, 2] },
    { of: [0.1, 0.9, 0.5], is: [1, 2, 0] },
    { of: [undefined, undefined], is: [0, 1] },
    { of: [0.5], is: [0] },
    { of: [], is: [] },
  ])('of $of is $is', ({ of: relevances, is: order }) => {
    expect(rerankedOrder(relevances, RERANK_WEIGHT)).toEqual(order);
  });

  it('puts what is relevant first from any place, and turns a list round', () => {
    const last = DOWN.map((_, place) => (place === 19 ? 1 : 0));
    expect(rerankedOrder(last, RERANK_WEIGHT)[0]).toBe(19);
    expect(rerankedOrder(UP, RERANK_WEIGHT)).toEqual(DOWN.map((place) => place - 1));
  });
});

describe('the trust in a reranker', () => {
  it('is given for the first query alone, however often it is asked', () => {
    const trust = new RerankerTrust();
    expect([trust.takes('a'), trust.takes('b'), trust.takes('a')]).toEqual([true, false, true]);
  });

  it('is earned in a few searches by one that mostly agrees, and kept by one that says nothing', () => {
    const trust = new RerankerTrust();
    const seen = Array.from({ length: 5 }, (_, i) => {
      trust.see(DOWN);
      return trust.takes(`query ${i}`);
    });
    expect(seen).toEqual([true, false, true, true, true]);
    for (let i = 0; i < 100; i += 1) trust.see(i % 4 === 0 ? UP : DOWN);
    for (let i = 0; i < 100; i += 1) trust.see(DOWN.map(() => 1));
    expect(trust.takes('another')).toBe(true);
  });

  it('is not given to one that is upside down, and can be earned later', () => {
    const trust = new RerankerTrust();
    expect(trust.takes('first')).toBe(true);
    for (let i = 0; i < 100; i += 1) {
      trust.see(UP);
      expect(trust.takes('another')).toBe(false);
    }
    for (let i = 0; i < 9; i += 1) trust.see(DOWN);
    expect(trust.takes('another')).toBe(true);
  });

  it('is lost by noise within a few searches', () => {
    const trust = new RerankerTrust();
    for (let i = 0; i < 10; i += 1) trust.see(DOWN);
    const taken = Array.from({ length: 60 }, (_, i) => {
      trust.see(DOWN.map((place) => Math.sin(place * 37 + i * 91)));
      return trust.takes(`query ${i}`);
    });
    expect(taken[0]).toBe(true);
    expect(taken.filter(Boolean).length).toBeLessThan(20);
    expect(taken.slice(30)).not.toContain(true);
  });
});
