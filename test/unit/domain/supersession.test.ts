import { describe, expect, it } from 'vitest';
import {
  leadsBack,
  listSupersessions,
  supersededBy,
} from '../../../src/domain/saved/supersession.js';

/** `b>a`: b replaces a. */
const linksOf = (text: string) =>
  text.split(' ').map((pair) => {
    const [sourceFile = '', supersedes = ''] = pair.split('>');
    return { sourceFile, supersedes };
  });
const replaced = (text: string) => [...supersededBy(linksOf(text)).keys()].toSorted();

describe('superseded sources', () => {
  it.each([
    ['b>a', ['a']],
    ['c>b b>a', ['a', 'b']],
    ['b>a c>a', ['a']],
    ['a>a', []],
    ['a>b b>a', []],
    ['a>b b>c c>a', []],
    ['d>a a>b b>a', ['a']],
    ['d>c a>b b>a', ['c']],
  ])('of %s is %j', (links, files) => {
    expect(replaced(links)).toEqual(files);
  });

  it.each([
    [undefined, ['a']],
    [2, ['a']],
    [0, []],
  ])('by a source with %s chunks is %j', (chunkCount, files) => {
    const source = {
      sourceFile: 'b',
      supersedes: 'a',
      ...(chunkCount !== undefined && { chunkCount }),
    };
    expect([...supersededBy(listSupersessions([source])).keys()]).toEqual(files);
  });

  it('is read from the sources that replace another one', () => {
    const sources = [{ sourceFile: 'a' }, { sourceFile: 'b', supersedes: 'a' }];
    expect(listSupersessions(sources)).toEqual(linksOf('b>a'));
  });

  it('do not include sources superseded by one whose chunks were all pruned', () => {
    const of = (chunkCount: number) =>
      listSupersessions([{ sourceFile: 'b', supersedes: 'a', chunkCount }]);
    expect([of(0), of(1)]).toEqual([[], linksOf('b>a')]);
  });

  it('takes a long chain in its stride', () => {
    const links = Array.from({ length: 100_000 }, (_, i) => `${i + 1}>${i}`).join(' ');
    expect(replaced(links)).toHaveLength(100_000);
  });
});

it.each([
  ['a>b', 'b>c', false],
  ['a>b', 'b>c c>a', true],
  ['a>b', 'a>c b>c', false],
  ['a>a', 'b>c', true],
])('knows that %s after %s leads back: %s', (link, links, expected) => {
  const [first] = linksOf(link);
  expect(first && leadsBack(first, linksOf(links))).toBe(expected);
});
