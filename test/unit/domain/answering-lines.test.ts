import { describe, expect, it } from 'vitest';
import { answeringLines, titleAt } from '../../../src/domain/chunks/answering-lines.js';

const TEXT = [
  'An introduction.',
  '',
  '### Steps',
  '',
  'Do this:',
  '- first this',
  '- then that',
  '',
  'After it.',
  '#### By script',
  '```sh',
  'make all',
  '',
  'make clean',
  '```',
  'The end.',
].join('\n');

describe('the lines around a place', () => {
  const around = (words: string) => {
    const { start, block, isFirst } = answeringLines(TEXT, TEXT.indexOf(words));
    const from = TEXT.slice(start).split('\n')[0];
    return { from, isFirst, block: block && TEXT.slice(block.start, block.end).trimEnd() };
  };

  it.each([
    ['troduc', 'An introduction.', undefined],
    ['this:', 'Do this:', undefined],
    ['that', '- then that', '- first this\n- then that'],
    ['After', 'After it.', undefined],
    ['clean', 'make clean', '```sh\nmake all\n\nmake clean\n```'],
    ['Steps', 'Do this:', undefined],
    ['script', '```sh', '```sh\nmake all\n\nmake clean\n```'],
    ['end.', 'The end.', undefined],
  ])('%j begin with %j', (words, from, block) => {
    expect(around(words)).toEqual({ from, block, isFirst: words === 'troduc' });
  });

  it('are headings only if there is nothing else', () => {
    const lone = '### Only';
    expect(answeringLines(lone, 4)).toEqual({ start: 0, isFirst: true });
    const last = 'text\n\n### Last';
    expect(answeringLines(last, last.length).start).toBe(0);
    expect(answeringLines('### A\n### B', 7)).toEqual({ start: 6, isFirst: true });
  });

  it.each([
    ['the end of the text', '- a\n- b', 7],
    ['a blank line', '- a\n\nAfter.', 4],
    ['code', '- a\n```\nx\n```', 4],
    ['a heading', '- a\n### B\n- b', 4],
  ])('are a list up to %s', (_, text, end) => {
    expect(answeringLines(text, 0)).toEqual({ start: 0, isFirst: true, block: { start: 0, end } });
  });
});

describe('the title at a place', () => {
  const chunk = { heading: 'Setup', content: TEXT };

  it.each([
    ['introduction', 'Setup'],
    ['first this', 'Steps'],
    ['make all', 'By script'],
    ['By script', 'By script'],
  ])('above %j is %j', (words, title) => {
    expect(titleAt(chunk, TEXT.indexOf(words))).toBe(title);
  });

  it('is that of the chunk in a text without headings', () => {
    expect(titleAt({ heading: 'Setup', content: 'a\nb' }, 2)).toBe('Setup');
    expect(titleAt({ content: 'a' }, 0)).toBeUndefined();
  });

  it('is not a heading without text', () => {
    expect(titleAt({ heading: 'Setup', content: '### A\na\n###\nb' }, 11)).toBe('A');
    expect(titleAt({ heading: 'Setup', content: '###\na' }, 4)).toBe('Setup');
  });
});
