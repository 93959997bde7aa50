import { describe, expect, it } from 'vitest';
import {
  RERANK_WEIGHT,
  RerankerTrust,
  rerankedOrder,
} from '../../../src/domain/ranking/reranking.js';

const DOWN = Array.from({ length: 20 }, (_, place) => 20 - place);
const UP = DOWN.toReversed();

describe('the order after reranking', () => {
  it.each<[readonly (number | undefined)[], readonly number[]]>([
    [
      [0, 0, 1],
      [2, 0, 1],
    ],
    [
      [-9, -3, -5],
      [1, 2, 0],
    ],
    [
      [7, 7, 7],
      [0, 1, 2],
    ],
    [
      [undefined, 2, 1],
      [1, 0, 2],
    ],
    [
      [0.1, 0.9, 0.5],
      [1, 2, 0],
    ],
    [
      [undefined, undefined],
      [0, 1],
    ],
    [[0.5], [0]],
    [[], []],
  ])('of %j is %j', (relevances, order) => {
    expect(rerankedOrder(relevances, RERANK_WEIGHT)).toEqual(order);
  });

  it('puts what is relevant first from any place, and turns a list round', () => {
    const last = DOWN.map((_, place) => (place === 19 ? 1 : 0));
    expect(rerankedOrder(last, RERANK_WEIGHT)[0]).toBe(19);
    expect(rerankedOrder(UP, RERANK_WEIGHT)).toEqual(DOWN.map((place) => place - 1));
  });
});

describe('the trust in a reranker', () => {
  it('stays in one that mostly agrees, and in one that says nothing', () => {
    const trust = new RerankerTrust();
    for (let i = 0; i < 100; i += 1) trust.see(i % 4 === 0 ? UP : DOWN);
    for (let i = 0; i < 100; i += 1) trust.see(DOWN.map(() => 1));
    expect(trust.isTrusted).toBe(true);
  });

  it('is lost after eight searches by one that is upside down, and regained', () => {
    const trust = new RerankerTrust();
    const seen = Array.from({ length: 8 }, () => {
      trust.see(UP);
      return trust.isTrusted;
    });
    expect(seen).toEqual([...Array(7).fill(true), false]);
    for (let i = 0; i < 8; i += 1) trust.see(DOWN);
    expect(trust.isTrusted).toBe(true);
  });

  it('is lost by noise', () => {
    const trust = new RerankerTrust();
    for (let i = 0; i < 60; i += 1) trust.see(DOWN.map((place) => Math.sin(place * 37 + i * 91)));
    expect(trust.isTrusted).toBe(false);
  });
});
