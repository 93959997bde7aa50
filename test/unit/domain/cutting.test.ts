import { describe, expect, it } from 'vitest';
import { cutToFit, packToFit } from '../../../src/domain/chunks/cutting.js';

const room = (words: number, characters = 1000) => ({ words, characters });

describe('cutToFit', () => {
  it.each([
    [
      'sentence ends',
      'One two. Three!  "Four five." Six',
      2,
      ['One two. ', 'Three!  ', '"Four five." ', 'Six'],
    ],
    ['sentence ends without a space', 'いち。に。さん', 1, ['いち。に。さん']],
    [
      'line ends where there is no sentence end',
      'one two\nthree four',
      3,
      ['one two\n', 'three four'],
    ],
    ['words where nothing else is left', 'one two three', 2, ['one two ', 'three']],
    ['nothing that fits', 'one. two. three.', 3, ['one. two. three.']],
  ])('cuts at %s', (_, text, words, pieces) => {
    expect(cutToFit(text, room(words))).toEqual(pieces);
  });

  it('does not take the points in numbers and names for sentence ends', () => {
    expect(cutToFit('Node v20.1 runs. It is fast.', room(3))).toEqual([
      'Node v20.1 runs. ',
      'It is fast.',
    ]);
  });

  it('cuts inside a word only if the characters are too many', () => {
    expect(cutToFit('abcdefgh', room(1, 3))).toEqual(['abc', 'def', 'gh']);
    expect(cutToFit('a🌋🌋', room(1, 2))).toEqual(['a', '🌋', '🌋']);
    expect(cutToFit('いち。に。さん', room(1, 3))).toEqual(['いち。', 'に。', 'さん']);
  });
});

it('packs nothing into nothing', () => {
  expect(packToFit([], room(2))).toEqual([]);
});
