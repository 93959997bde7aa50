import { describe, expect, it } from 'vitest';
import {
  jaccardSimilarity,
  lessonWords,
  saysTheSame,
} from '../../../src/domain/lessons/lesson-similarity.js';

const LESSON = `Use WAL mode for the knowledge database, so that readers do not wait for the writer,
and run a checkpoint when the service stops.`;

function isSame(a: string, b: string): boolean {
  return saysTheSame(lessonWords(a), lessonWords(b));
}

describe('two lessons say the same', () => {
  it.each([
    ['when they are equal', LESSON],
    ['in another case', LESSON.toUpperCase()],
    ['with other punctuation and spaces', LESSON.replace(/[,.]/g, ' - ').replaceAll(' ', '\n')],
    ['with a word or two changed', LESSON.replace('stops', 'ends')],
    ['with a word added', `${LESSON} Always.`],
  ])('%s', (_, other) => {
    expect(isSame(LESSON, other)).toBe(true);
    expect(isSame(other, LESSON)).toBe(true);
  });

  it('when one in five words is added, not two in six', () => {
    expect(isSame('one two three four', 'one two three four five')).toBe(true);
    expect(isSame('one two three four', 'one two three four five six')).toBe(false);
  });

  it('when they have no words but are equal', () => {
    expect(isSame('!!!', '!!!')).toBe(true);
    expect(isSame('!!!', ' !!!\n')).toBe(true);
    expect(isSame('!!!', '???')).toBe(false);
  });
});

describe('two lessons differ', () => {
  it.each([
    ['with other words', 'Answer in JSON, so that every client can read the error.'],
    ['when one only begins as the other', 'Use WAL mode for the knowledge database.'],
    ['when one negates the other', LESSON.replace('run a', 'never run a')],
    ['when the other drops a negation', LESSON.replace('do not wait', 'do wait')],
  ])('%s', (_, other) => {
    expect(isSame(LESSON, other)).toBe(false);
  });

  it('when they differ in a number', () => {
    expect(isSame(`${LESSON} Wait 30 s.`, `${LESSON} Wait 60 s.`)).toBe(false);
  });
});

it('measures the share of common members', () => {
  expect(jaccardSimilarity(new Set('ab'), new Set('bc'))).toBeCloseTo(1 / 3);
  expect(jaccardSimilarity(new Set(), new Set('a'))).toBe(0);
  expect(jaccardSimilarity(new Set(), new Set())).toBe(1);
});

describe('the decisive words of a lesson', () => {
  it('are whole words, and words with a digit', () => {
    const words = lessonWords(
      'Note the knot: nothing attempts another annotation, not without 3a.',
    );
    expect([...words.decisive]).toEqual(['not', 'without', '3a']);
  });
});
