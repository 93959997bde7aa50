import { describe, expect, it } from 'vitest';
import { toCitation, verdictOn } from '../../../src/domain/citations/citation.js';
import { LineHashes } from '../../../src/domain/citations/line-hashes.js';

const TEXT = 'import pool\n\nexport function take() {\n  return pool.take();\n}\n';
const TAKE = { from: 3, to: 4 };
const file = (text: string) => ({ hash: text, lines: new LineHashes(text) });

describe('a citation of lines', () => {
  const citation = toCitation('src/pool.ts', file(TEXT), TAKE);
  it.each([
    ['the same file', TEXT, { state: 'current' }],
    ['a change elsewhere below', `${TEXT}// end\n`, { state: 'current' }],
    ['other line ends and blanks at the end', TEXT.replaceAll('\n', ' \r\n'), { state: 'current' }],
    ['two lines more above', `a\nb\n${TEXT}`, { state: 'current', movedTo: { from: 5, to: 6 } }],
    [
      'fewer lines above',
      TEXT.slice('import pool\n'.length),
      { state: 'current', movedTo: { from: 2, to: 3 } },
    ],
    ['another word in them', TEXT.replace('take()', 'give()'), { state: 'changed' }],
    ['another indentation', TEXT.replace('  return', '    return'), { state: 'changed' }],
    ['a line between them', TEXT.replace('{\n', '{\n  wait();\n'), { state: 'changed' }],
    ['nothing', '', { state: 'changed' }],
  ])('with %s', (_, text, expected) => {
    expect(verdictOn(citation, file(text))).toEqual(expected);
  });

  it.each([
    [3, `x\n${TEXT}${TEXT}`, 4],
    [9, `x\n${TEXT}${TEXT}x`, 9],
    [7, `x\n${TEXT}\n${TEXT}`, 4],
  ])(
    'at line %i follows the copy that is nearest, the earlier of two',
    (from, copies, expected) => {
      const above = '\n'.repeat(from - TAKE.from);
      const cited = toCitation('src/pool.ts', file(above + TEXT), { from, to: from + 1 });
      const verdict = verdictOn(cited, file(copies));
      const movedTo = { from: expected, to: expected + 1 };
      expect(verdict).toEqual({ state: 'current', ...(expected !== from && { movedTo }) });
    },
  );

  it.each([
    [1, 1],
    [1, 3],
    [5, 6],
  ])('may be of the lines %i to %i', (from, to) => {
    expect(toCitation('a.ts', file(`${TEXT}end`), { from, to })).toHaveProperty('lines');
  });

  it.each([
    [4, 60],
    [2, 2],
    [0, 1],
    [4, 3],
  ])('is one of the file where it has no lines %i to %i, or they hold no letter', (from, to) => {
    expect(toCitation('a.ts', file(TEXT), { from, to })).not.toHaveProperty('lines');
  });
});

it.each([
  ['', 1],
  ['one\ntwo\r\n\rfour', 4],
  ['one\n', 2],
])('the lines of %j are counted, empty ones too: %i', (text, count) => {
  expect(new LineHashes(text).count).toBe(count);
});

it('the hashes of lines are those that stores have kept', () => {
  const hashes = new LineHashes('import pool\n\nexport function take() {}\n');
  expect(hashes.of({ from: 1, to: 3 })).toBe('1yd2pb5.ot1ruv');
});

describe('a citation of a file', () => {
  const citation = toCitation('src/pool.ts', file(TEXT));
  it.each([
    [TEXT, { state: 'current' }],
    [`${TEXT} `, { state: 'changed' }],
  ])('whose text is now %j', (text, expected) => {
    expect(verdictOn(citation, file(text))).toEqual(expected);
  });

  it('is gone with its file', () => {
    expect(verdictOn(citation, undefined)).toEqual({ state: 'gone' });
  });
});
