import { expect, it } from 'vitest';
import { neighbouringWords, typoCandidates } from '../../../src/domain/query/typos.js';

it('only words of five letters and digits or more, with two small letters, may be mistyped', () => {
  const words = [
    'pool.maxSize',
    'retry_v2',
    'KNOWLEDGE_host',
    'größe_limit',
    '12345.678ab',
    'limitsgrößenlimits',
  ];
  expect(typoCandidates(words)).toEqual(['maxSize', 'retry', 'limit', '678ab']);
});

it('a neighbour of a word differs from it by one letter, or by two that are swapped', () => {
  const neighbours = neighbouringWords('pool');
  for (const one of ['pol', 'pooll', 'pxool', 'pook', 'opol', 'pool1'])
    expect(neighbours).toContain(one);
  for (const one of ['pool', 'po', 'loop']) expect(neighbours).not.toContain(one);
});
