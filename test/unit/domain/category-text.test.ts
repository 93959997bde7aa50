import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chunkMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { splitFrontmatter } from '../../../src/domain/chunks/frontmatter.js';
import {
  type CategoryAddition,
  readLessons,
  withLessons,
} from '../../../src/domain/lessons/category-text.js';

const addition: CategoryAddition = {
  category: 'storage',
  date: '2026-01-05',
  feature: 'f-1',
  lessons: [{ title: 'Use WAL', content: 'Readers do not wait.' }],
};
const PARAGRAPH =
  '### Use WAL (2026-01-05)\n- **Learned:** Readers do not wait.\n- **Feature:** f-1\n';

describe('a category that grows', () => {
  it('begins with frontmatter and a title as the real ones do', () => {
    expect(withLessons('', addition)).toBe(`---
tags: [storage]
summary: storage implementation decisions and patterns
relevantTo: [storage]
importance: 0.7
relatedFiles: []
usageStats:
  loaded: 0
  referenced: 0
  successfulFeatures: 0
---
# storage

${PARAGRAPH}`);
  });

  it.each(['null', 'true', 'on', '123', '0x1f', '1e3', '2026-01-05', 'a-b_c', '007'])(
    'is tagged with its name, even if that is %s',
    (category) => {
      const { yaml } = splitFrontmatter(withLessons('', { ...addition, category }));
      expect(parse(yaml ?? '')).toMatchObject({ tags: [category], importance: 0.7 });
    },
  );

  it.each([
    ['no line end', '# a\n\ntext', '\n\n', '\n'],
    ['one line end', '# a\n\ntext\n', '\n', '\n'],
    ['a blank line', '# a\n\ntext\n\n', '', '\n'],
    ['CRLF and no line end', '# a\r\n\r\ntext', '\r\n\r\n', '\r\n'],
    ['CRLF', '# a\r\n\r\ntext\r\n', '\r\n', '\r\n'],
    ['CRLF and a blank line', '# a\r\n\r\ntext\r\n\r\n', '', '\r\n'],
  ])('keeps a text that ends in %s and goes on in its style', (_, before, gap, newline) => {
    const expected = before + gap + PARAGRAPH.replaceAll('\n', newline);
    expect(withLessons(before, addition)).toBe(expected);
  });

  it('goes on in the style of the first line end', () => {
    expect(withLessons('# a\n\ntext\r\n', addition)).toBe(`# a\n\ntext\r\n\n${PARAGRAPH}`);
  });

  it.each(['storage', 'configuration', 'notes', 'offline'])(
    'is tagged without quotes if its name is a plain word: %s',
    (category) => {
      expect(withLessons('', { ...addition, category })).toMatch(`tags: [${category}]\n`);
    },
  );

  it('parts its lessons with a blank line', () => {
    const lessons = [...addition.lessons, { title: 'Two', content: 'Second.' }];
    const text = withLessons('# a\n', { ...addition, lessons });
    expect(text).toContain(`${PARAGRAPH}\n### Two (2026-01-05)\n`);
  });

  it('stays as it is without lessons', () => {
    expect(withLessons('', { ...addition, lessons: [] })).toBe('');
  });

  it.each(['```js\ncode', '~~~~\ncode\n', '# a\n````\n```\n'])(
    'closes the fence that %j leaves open, so that the lesson is no code',
    (before) => {
      const text = withLessons(before, addition);
      expect(text.startsWith(before)).toBe(true);
      const chunks = chunkMarkdownFile(text, { parseYaml: () => ({}) });
      expect(chunks.at(-1)?.content).toBe(PARAGRAPH.trim());
    },
  );
});

it.each([
  ['~~~\ncode\n', '~~~\n'],
  ['~~~\ncode', '\n~~~\n'],
  ['---\nsummary: |\n  ~~~\n---\n# a\n', ''],
])('ends %j with %j before a lesson', (before, closing) => {
  expect(withLessons(before, addition)).toBe(`${before}${closing}\n${PARAGRAPH}`);
});

describe('the lessons of a category', () => {
  it('are its paragraphs with the heading above, without date, labels and provenance', () => {
    const text = withLessons('# a\n\n#### [Gotcha] Old (2025-12-31)\n- **Why:** Because.\n', {
      ...addition,
    });
    expect(readLessons(text)).toEqual([
      '[Gotcha] Old\n Because.',
      'Use WAL\n Readers do not wait.',
    ]);
  });

  it('do not include frontmatter, titles and blank text', () => {
    expect(readLessons('---\ntags: [a]\n---\n# a\n\n## b\n\n')).toEqual([]);
    expect(readLessons('')).toEqual([]);
  });

  it('are without the marks and spaces of a list', () => {
    expect(readLessons('One\n-  two\n  *   three')).toEqual(['One\ntwo\nthree']);
  });

  it('are found in a text without headings too', () => {
    const text = 'One\nlesson.\n\nA - b.\n\n  *  C.\n\n> - D.\n\n+ **Why:** E.';
    expect(readLessons(text)).toEqual(['One\nlesson.', 'A - b.', 'C.', '> - D.', 'E.']);
  });
});

describe('the text of a hostile category', () => {
  const LESSON = { category: 'a', date: '2026-01-05', feature: 'f-1' };
  const LEARNED = [{ title: 'T', content: 'C' }];

  it.each([
    ['100,000 blank lines', '\n'.repeat(100_000)],
    ['a heading with 100,000 spaces', `# a${' '.repeat(100_000)}b\ntext`],
    ['400,000 fences', '```\n```\n'.repeat(200_000)],
  ])('is read and continued in linear time: %s', (_, text) => {
    expect(readLessons(text).length).toBeLessThan(3);
    expect(withLessons(text, { ...LESSON, lessons: LEARNED })).toContain('### T (2026-01-05)');
  });
});
