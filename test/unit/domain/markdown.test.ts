import { describe, expect, it } from 'vitest';
import {
  headingText,
  isBlank,
  parseLines,
  withoutBlankEnds,
} from '../../../src/domain/chunks/markdown.js';

function headingsOf(text: string): readonly string[] {
  const lines = parseLines(text).filter(({ headingLevel }) => headingLevel > 0);
  return lines.map(headingText);
}

describe('findLines', () => {
  it.each([
    ['# a', 1],
    ['###### a', 6],
    ['####### a', 0],
    ['   ## a', 2],
    ['    ## a', 0],
    ['##\ta', 2],
    ['##', 2],
    ['##a', 0],
    ['a ## b', 0],
  ])('sees in %j a heading of level %d', (text, level) => {
    expect(parseLines(text)).toStrictEqual([{ text, headingLevel: level, verbatim: false }]);
  });

  it('splits at line ends of all systems', () => {
    expect(parseLines('a\r\nb\rc\n').map((line) => line.text)).toEqual(['a', 'b', 'c', '']);
  });

  it.each([
    ['```\n## x\n```\n## y', [true, true, true, false]],
    ['```` md\n```\n````\ny', [true, true, true, false]],
    ['~~~ ``` ~~~\n```\n~~~\ny', [true, true, true, false]],
    ['```\n```js\n```  \ny', [true, true, true, false]],
    ['``` a`b\ny', [false, false]],
    ['    ```\ny', [false, false]],
    ['~ a\ny', [false, false]],
    ['```\nx ```\ny', [true, true, true]],
    ['```\n\n## x', [true, true, true]],
    [`${'> '.repeat(100)}\`\`\``, [true]],
    [`${'> '.repeat(101)}\`\`\``, [false]],
  ])('knows the fenced lines of %j', (text, fenced) => {
    expect(parseLines(text).map((line) => line.verbatim)).toEqual(fenced);
    expect(parseLines(text).every((line) => !line.verbatim || line.headingLevel === 0)).toBe(true);
    expect(parseLines(text).every((line) => !line.verbatim || !isBlank(line))).toBe(true);
  });
});

it('consecutive blank lines are one object, unless they differ', () => {
  const [first, second, spaces, text] = parseLines('\n\n  \na');
  expect(second).toBe(first);
  expect([spaces?.text, text?.text]).toEqual(['  ', 'a']);
});

describe('with the marks of a merge conflict', () => {
  it.each([
    ['<<<<<<< HEAD\nOurs\n---\n=======\nTheirs\n---\n>>>>>>> b', ['Ours', 'Theirs']],
    ['<<<<<<< HEAD\nours\n||||||| base\nwas\n=======\ntheirs\n>>>>>>> b', []],
    ['<<<<<<<\nours\n|||||||\nWas\n---\n=======\n>>>>>>>', ['Was']],
    ['<<<<<<< HEAD\n> quote\nours\n=======\ntheirs\n>>>>>>> b', []],
    ['<<<<<<< HEAD\n| Ours\n---\n=======\n>>>>>>> b', ['| Ours']],
    ['<<<<<<< HEAD\n=======\n>>>>>>> b\nTitle\n=======', ['Title']],
    ['<<<<<<< HEAD\n=======\n>>>>>>> b\n>>>>>>> c\nTitle\n---', ['Title']],
    ['Title\n=======\n<<<<<<< HEAD', ['Title']],
    ['Title\n|||||||\n===\n<<<<<<< HEAD', ['Title |||||||']],
    ['About <<<<<<< HEAD\n=======', ['About <<<<<<< HEAD']],
    ['>>>>>>> quote\nmore\n---', []],
  ])('%j has the headings %j', (text, headings) => {
    expect(headingsOf(text)).toEqual(headings);
  });
});

it.each([
  ['> | a |\n> |---|\nTitle\n---', ['Title']],
  ['| a |\n\n|---|\nTitle\n---', ['|---| Title']],
  [`a\n${' '.repeat(1000)}\t\n---\nTitle\n---`, ['Title']],
])('the underlined headings of %j are %j', (text, headings) => {
  expect(headingsOf(text)).toEqual(headings);
});

it.each([
  ['```sh  \n', { opener: '```sh', closer: '```' }],
  ['- ~~~~ a b\n', { opener: '~~~~ a b', closer: '~~~~' }],
])('the fence of %j is %j', (text, fence) => {
  expect(parseLines(text)[0]?.fence).toEqual(fence);
});

describe('headingText', () => {
  it.each([
    ['## a b', 'a b'],
    ['## a ##', 'a'],
    ['## a#', 'a#'],
    ['## C#', 'C#'],
    ['##', ''],
    ['## ##', ''],
    ['  ###  `x`  ', '`x`'],
  ])('reads %j as %j', (text, expected) => {
    const [line] = parseLines(text);
    expect(line && headingText(line)).toBe(expected);
  });
});

describe('withoutBlankEnds', () => {
  it('keeps the indentation of the first line', () => {
    expect(withoutBlankEnds('\n \t\n    code\n\nmore \n\n')).toBe('    code\n\nmore');
    expect(withoutBlankEnds(' \n')).toBe('');
  });
});

describe('headingText, of a heading that ends in a sign', () => {
  it.each([
    ['## Fix issue #12 in C#', 'Fix issue #12 in C#'],
    ['## Fix issue #12 in C #', 'Fix issue #12 in C'],
    ['## C # ##', 'C #'],
  ])('takes the closing signs of %j for no text', (text, heading) => {
    const [line] = parseLines(text);
    expect(line && headingText(line)).toBe(heading);
  });
});
