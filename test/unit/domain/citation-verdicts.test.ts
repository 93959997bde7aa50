import { describe, expect, it } from 'vitest';
import { citationOf, verdictOn } from '../../../src/domain/citations/citation.js';

const TEXT = 'import pool\n\nexport function take() {\n  return pool.take();\n}\n';
const TAKE = { from: 3, to: 4 };
const file = (text: string) => ({ hash: text, text });

describe('a citation of lines', () => {
  const citation = citationOf('src/pool.ts', file(TEXT), TAKE);
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

  it('follows the copy that is nearest', () => {
    const copies = `x\n${TEXT}${TEXT}`;
    expect(verdictOn(citation, file(copies))).toEqual({
      state: 'current',
      movedTo: { from: 4, to: 5 },
    });
  });

  it('is one of the file where the file does not have them, or they hold no letter', () => {
    expect(citationOf('a.ts', file(TEXT), { from: 4, to: 60 })).not.toHaveProperty('lines');
    expect(citationOf('a.ts', file(TEXT), { from: 2, to: 2 })).not.toHaveProperty('lines');
  });
});

describe('a citation of a file', () => {
  const citation = citationOf('src/pool.ts', file(TEXT));
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
