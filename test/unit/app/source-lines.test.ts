import { describe, expect, it } from 'vitest';
import { cutLines, parsePlace } from '../../../src/app/sources/source-lines.js';

describe('the place in a path', () => {
  it.each([
    ['a.md', { path: 'a.md' }],
    ['a.md:3', { path: 'a.md', from: 3, to: 42 }],
    ['a.md:3-5', { path: 'a.md', from: 3, to: 5 }],
    ['a.md:3-3', { path: 'a.md', from: 3, to: 3 }],
    ['a.md:3:7', { path: 'a.md', from: 3, to: 42 }],
    ['a.md#L3-L5', { path: 'a.md', from: 3, to: 5 }],
    ['a.md(12,5)', { path: 'a.md', from: 12, to: 51 }],
    ['a.md(12-14)', { path: 'a.md', from: 12, to: 14 }],
    ['a.md:0', { path: 'a.md', from: 1, to: 40 }],
    ['a.md:12345678', { path: 'a.md', from: 12_345_678, to: 12_345_717 }],
    ['a.md:5-3', { path: 'a.md', from: 5, to: 3 }],
    ['docs/a:b.md', { path: 'docs/a:b.md' }],
  ])('%s', (written, place) => {
    expect(parsePlace(written)).toEqual(place);
  });
});

describe('the lines of a text', () => {
  const lines = (text: string, range: { readonly from?: number; readonly to?: number } = {}) =>
    cutLines(text, { file: 'a.md', ...range });

  it('end with any line break', () => {
    expect(lines('1\r\n2\r3\n4\n')).toMatchObject({ lines: 4, text: '1\n2\n3\n4', to: 4 });
    expect(lines('1\n\n')).toMatchObject({ lines: 2, text: '1\n' });
  });

  it('are those asked for that exist', () => {
    expect(lines('1\n2\n3', { from: 2 })).toMatchObject({ from: 2, to: 3, text: '2\n3' });
    expect(lines('1\n2\n3', { from: 3, to: 9 })).toMatchObject({ from: 3, to: 3, text: '3' });
    expect(lines('1\n2\n3', { from: 2, to: 2 })).toMatchObject({ from: 2, to: 2, text: '2' });
  });

  it('are refused in the wrong order, and after the end', () => {
    expect(() => lines('1\n2', { from: 2, to: 1 })).toThrow(
      'the last must not be before the first',
    );
    expect(() => lines('1\n2', { from: 3 })).toThrow('The source a.md has only 2 lines.');
  });
});
