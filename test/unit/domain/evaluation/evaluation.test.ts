import { describe, expect, it } from 'vitest';
import { firstQuestions } from '../../../../src/domain/evaluation/first-questions.js';
import { measure } from '../../../../src/domain/evaluation/measures.js';
import {
  checkQuestions,
  isMissingFile,
  rightAnswer,
} from '../../../../src/domain/evaluation/questions.js';

describe('the questions of a file', () => {
  it('are texts; a number is one', () => {
    expect(checkQuestions([{ question: ' which port? ', expect: 5432 }])).toEqual([
      { question: 'which port?', expect: '5432' },
    ]);
  });

  it('are up to 1,000', () => {
    const entries = Array.from({ length: 1000 }, () => ({ question: 'a', expect: 'b' }));
    expect(checkQuestions(entries)).toEqual(entries);
  });

  it.each([
    [{ question: 'a' }, 'The file must be a list'],
    ['text', 'The file must be a list'],
    [null, 'The file must be a list'],
    [[], 'The file has no entries'],
    [[{ question: 'a', expect: 'b' }, 'c'], 'Entry 2 must be'],
    [[null], 'Entry 1 must be'],
    [[{ expect: 'b' }], 'Entry 1 needs a "question", as text'],
    [[{ question: ' ', expect: 'b' }], 'Entry 1 needs a "question", as text'],
    [[{ question: ['a'], expect: 'b' }], 'Entry 1 needs a "question", as text'],
    [[{ question: 'a', expect: 'b' }, { question: 'c' }], 'Entry 2 needs an "expect"'],
    [[{ question: 'a', expect: '' }], 'Entry 1 needs an "expect"'],
    [[{ question: 'a', expect: null }], 'Entry 1 needs an "expect"'],
    [Array.from({ length: 1001 }, () => ({ question: 'a', expect: 'b' })), 'the maximum is 1,000'],
  ])('are refused with the entry that is wrong: %j', (value, sentence) => {
    expect(() => checkQuestions(value)).toThrow(sentence);
  });
});

describe('the right answer', () => {
  const SOURCES = ['docs/locks.md', 'docs/Zwei Wörter.md', '.knowledge/notes/a.md'];
  const chunk = {
    sourceFile: 'docs/locks.md',
    heading: 'Locks',
    content:
      '## Waiting `writers`!\n\nWriters  wait\nfor the ibex.\n\n### Retry & back-off\nLater.',
  };

  it.each([
    'docs/locks.md',
    './docs/locks.md',
    'locks.md',
    'docs/locks.md#Waiting writers',
    'docs/locks.md#waiting-writers',
    'locks.md#Retry & back-off',
    'docs/locks.md#locks',
    'docs/locks.md #Locks',
    'writers wait for the IBEX',
  ])('is known by %j', (expected) => {
    expect(rightAnswer(expected, SOURCES)(chunk)).toBe(true);
  });

  it.each([
    'docs/Zwei Wörter.md',
    'docs/locks.md#Readers',
    'cks.md',
    'docs/gone.md',
    'the ibex waits',
    'a.md#Locks',
    '#locks.md',
    'docs/locks.md#Later',
    'waitfor the ibex',
  ])('is not %j', (expected) => {
    expect(rightAnswer(expected, SOURCES)(chunk)).toBe(false);
  });

  it('may be a text of a chunk without a heading, but no heading without a letter', () => {
    const { heading: _, ...headless } = { ...chunk, content: 'Writers wait.' };
    expect(rightAnswer('writers wait', SOURCES)(headless)).toBe(true);
    expect(rightAnswer('docs/locks.md#?', SOURCES)(headless)).toBe(false);
  });

  it('may be a file that is missing', () => {
    const isMissing = (expected: string) => isMissingFile(expected, SOURCES);
    expect(['docs/gone.md', 'gone.mdx#A heading'].map(isMissing)).toEqual([true, true]);
    const others = ['docs/locks.md', 'a text.md', 'gone.md is gone', 'pool.max', 'none'];
    expect(others.filter(isMissing)).toEqual([]);
  });
});

describe('the measures', () => {
  const answered = { isAnswerable: true, rank: 1, isHidden: false, isConfident: true };

  it('count what was found where', () => {
    expect(
      measure([
        answered,
        { ...answered, rank: 2 },
        { ...answered, rank: 5 },
        { ...answered, rank: 6 },
        { ...answered, rank: undefined, isHidden: true },
        { ...answered, isAnswerable: false, rank: undefined },
        { ...answered, isAnswerable: false, rank: undefined, isConfident: false },
      ]),
    ).toEqual({ first: 1, withinFive: 3, hidden: 1, wronglyAnswered: 1, mrr: 0.3733, count: 7 });
  });

  it('are zero if no question has an answer', () => {
    expect(measure([{ ...answered, isAnswerable: false, rank: undefined }]).mrr).toBe(0);
  });
});

describe('the first questions of a project', () => {
  it.each([
    ['Lock', 'What is known about Lock?'],
    ['`*Retries*_ `', 'What is known about Retries?'],
    ['为什么锁定？', '为什么锁定？'],
    ['What? Then why', 'What is known about What? Then why?'],
    ['WAL', undefined],
    [' WAL ', undefined],
    ['a1 b2 c3', undefined],
    ['2026', undefined],
    ['', undefined],
  ])('ask of the heading %j: %j', (heading, question) => {
    const asked = firstQuestions([{ sourceFile: 'a.md', heading }]);
    expect(asked.map((one) => one.question)).toEqual(question === undefined ? [] : [question]);
  });

  it('are all of a file when the others have no more', () => {
    const headings = ['a.md Stale locks', 'b.md Timeouts', 'b.md Retries', 'a.md', 'b.md Backups'];
    const chunks = headings.map((one) => {
      const [sourceFile = '', ...words] = one.split(' ');
      return { sourceFile, heading: words.join(' ') };
    });
    expect(firstQuestions(chunks).map((one) => one.expect)).toEqual([
      ...['a.md#Stale locks', 'b.md#Timeouts', 'b.md#Retries', 'b.md#Backups'],
    ]);
  });

  it('are ten at most, one file after the other', () => {
    const headings = ['Writers wait', 'Stale locks', 'A', '`Retries`', 'Why do uploads fail?'];
    const chunks = ['a.md', 'b.md', 'c.md'].flatMap((sourceFile) =>
      headings.map((heading) => ({ sourceFile, heading })),
    );
    const questions = firstQuestions([...chunks, ...chunks, { sourceFile: 'd.md' }]);
    expect(questions).toHaveLength(10);
    expect(questions.slice(0, 4)).toEqual([
      { question: 'What is known about Writers wait?', expect: 'a.md#Writers wait' },
      { question: 'What is known about Writers wait?', expect: 'b.md#Writers wait' },
      { question: 'What is known about Writers wait?', expect: 'c.md#Writers wait' },
      { question: 'What is known about Stale locks?', expect: 'a.md#Stale locks' },
    ]);
    expect(questions.at(-1)).toEqual({
      question: 'Why do uploads fail?',
      expect: 'a.md#Why do uploads fail?',
    });
  });
});
