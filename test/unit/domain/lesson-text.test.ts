import { describe, expect, it } from 'vitest';
import {
  oneLine,
  reflectionText,
  tidyLesson,
  visibleText,
} from '../../../src/domain/lessons/lesson-text.js';

const tidy = (title: string, content: string) => tidyLesson({ category: 'api', title, content });

describe('a tidy lesson', () => {
  it('has a title and a content, each on one line', () => {
    expect(tidy(' Use\n\n WAL ', 'Readers\r\ndo\tnot\u2028wait.\u0000')).toEqual({
      title: 'Use WAL',
      content: 'Readers do not wait.',
    });
  });

  it.each([
    ['', 'content'],
    [' \n', 'content'],
    ['\u200b', 'content'],
    ['title', ''],
    ['title', '\t'],
    ['', ''],
  ])('is not made of the title %j and the content %j', (title, content) => {
    expect(tidy(title, content)).toBeUndefined();
  });

  it('keeps a single joiner between letters or emoji, and no other one', () => {
    const needed = 'می\u200cخواهم 👩\u200d💻';
    expect(visibleText(`${needed} a\u200d\u200db \u200cc`)).toBe(`${needed} ab c`);
  });

  it('is cut without a space at its end', () => {
    expect(oneLine(' one two', 4)).toBe('one');
    expect(tidy('a'.repeat(300), 'b'.repeat(5000))).toEqual({
      title: 'a'.repeat(200),
      content: 'b'.repeat(4000),
    });
  });
});

it('writes a reflection of title, description and one section per lesson', () => {
  const text = reflectionText({
    title: 'Faster search',
    description: 'Search takes\ntoo long.',
    lessons: [
      { title: 'WAL', content: 'Use WAL mode.' },
      { title: 'Locks', content: 'Keep them short.' },
    ],
  });
  expect(text).toBe(
    '# Faster search\n\nSearch takes too long.\n\n## WAL\n\nUse WAL mode.\n\n## Locks\n\nKeep them short.\n',
  );
});

it('lets no text open a section, a fence or a list', () => {
  const text = reflectionText({
    title: 'One\n## Two',
    description: '```\n## Three',
    lessons: [{ title: 'Four', content: '## Five' }],
  });
  expect(text).toBe('# One ## Two\n\n\\``` ## Three\n\n## Four\n\n\\## Five\n');
});

it('leaves out a description that is blank', () => {
  const text = reflectionText({ title: 'T', description: ' \n', lessons: [] });
  expect(text).toBe('# T\n');
});
