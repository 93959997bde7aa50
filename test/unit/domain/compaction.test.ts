import { describe, expect, it } from 'vitest';
import {
  CATEGORY_NAME_MAX_CHARACTERS,
  historyName,
  isCategoryName,
} from '../../../src/domain/upkeep/categories.js';
import {
  assembleSummary,
  needsCompaction,
  objectionToSummary,
  partsToSummarize,
  summaryBody,
} from '../../../src/domain/upkeep/compaction.js';

/** Ten headings, 50 words under each. */
const TEXT = Array.from({ length: 10 }, (_, i) => `## H${i}\n${'word '.repeat(50)}`).join('\n\n');

describe('isCategoryName', () => {
  it.each(['a', 'A', '9', 'Read-Me_2', 'a'.repeat(CATEGORY_NAME_MAX_CHARACTERS)])(
    'takes %s',
    (name) => expect(isCategoryName(name)).toBe(true),
  );

  it.each(['', '_a', '-a', '.a', 'a.b', 'a/b', 'a b', 'ä', 'a\n', 'a'.repeat(65)])(
    'refuses %j',
    (name) => expect(isCategoryName(name)).toBe(false),
  );
});

it('the name of a former version has the time of its replacement, without colons', () => {
  const time = new Date('2026-01-02T03:04:05.678Z');
  expect(historyName('locks', time)).toBe('locks-2026-01-02T03-04-05.678Z');
});

describe('needsCompaction', () => {
  it('is true above the threshold, not at it', () => {
    expect(needsCompaction('a b c d e f g h i j', 12)).toBe(true);
    expect(needsCompaction('a b c d e f g h i j', 13)).toBe(false);
  });

  it('has a threshold of 50,000 tokens by default', () => {
    expect(needsCompaction('a '.repeat(38_461))).toBe(false);
    expect(needsCompaction('a '.repeat(38_462))).toBe(true);
  });
});

describe('partsToSummarize', () => {
  it('keeps the frontmatter apart and cuts between paragraphs', () => {
    expect(partsToSummarize('---\na: 1\n---\none\n\ntwo\n \nthree', 7)).toEqual({
      frontmatter: '---\na: 1\n---\n',
      parts: ['one\n\n', 'two\n \n', 'three'],
    });
  });

  it('packs as many paragraphs into a part as fit, and leaves out blank parts', () => {
    expect(partsToSummarize('one\n\ntwo\n\nthree', 10).parts).toEqual(['one\n\ntwo\n\n', 'three']);
    expect(partsToSummarize('\n\n', 10).parts).toEqual([]);
  });

  it.each(['\n', ' \t\n'])('parts no paragraph that fits into a part: %j', (blank) => {
    const [first, second] = [`a a a a\n${blank}`, `b b b b\nc c c c\n${blank}`];
    expect(partsToSummarize(`${first}${second}d`, 20).parts).toEqual([first, `${second}d`]);
  });
});

describe('assembleSummary', () => {
  it('joins the parts below the frontmatter of the category, without frontmatter of the model', () => {
    expect(assembleSummary('---\na: 1\n---\n', ['---\ntags: [x]\n---\none\n', ' two '])).toBe(
      '---\na: 1\n---\none\n\ntwo\n',
    );
  });

  it('removes any keys and lists of the model', () => {
    const yaml = 'summary: of two words\ntags:\n  - locks\n- write locks\n\n  nested: x\nempty:';
    expect(summaryBody(`---\n${yaml}\n---\nMore`)).toBe('More');
  });

  it('keeps text between two rules', () => {
    for (const prose of ['\nA sentence.\n', 'Note: one\nA sentence.', 'Note: one\nIn short: two.'])
      expect(summaryBody(`---\n${prose}\n---\nMore`)).toBe(`---\n${prose}\n---\nMore`);
  });
});

describe('objectionToSummary', () => {
  const headings = (count: number) =>
    Array.from({ length: count }, (_, i) => `### h${i}\n${'word '.repeat(6)}`).join('\n');

  it('has none to a summary with eight headings of ten and a tenth of the text', () => {
    expect(objectionToSummary(TEXT, headings(8))).toBeUndefined();
  });

  it('refuses a summary that keeps fewer headings', () => {
    expect(objectionToSummary(TEXT, headings(7))).toMatch(/headings/);
  });

  it('does not count headings inside code fences', () => {
    expect(objectionToSummary(TEXT, `\`\`\`\n${headings(10)}\n\`\`\``)).toMatch(/headings/);
  });

  it('needs no headings if the text has none', () => {
    expect(objectionToSummary('word '.repeat(100), 'word '.repeat(10))).toBeUndefined();
  });

  it.each(['OK', 'word '.repeat(9)])('refuses less than a tenth of the text: %s', (summary) => {
    expect(objectionToSummary('word '.repeat(100), summary)).toMatch(/tenth/);
  });

  it('does not count frontmatter', () => {
    const frontmatter = `---\nsummary: ${'many words '.repeat(20)}\n---\n`;
    expect(objectionToSummary(`${frontmatter}${TEXT}`, `${frontmatter}OK`)).toMatch(/tenth/);
  });

  it.each([
    ['empty', ' \n'],
    ['empty', '---\na: 1\n---\n'],
    ['not shorter', TEXT],
  ])('refuses a summary that is %s', (reason, summary) => {
    expect(objectionToSummary(TEXT, summary)).toContain(reason);
  });
});
