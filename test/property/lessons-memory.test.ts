import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkMarkdownFile } from '../../src/domain/chunks/chunking.js';
import { readLessons, withLessons } from '../../src/domain/lessons/category-text.js';
import { lessonWords, saysTheSame } from '../../src/domain/lessons/lesson-similarity.js';
import { reflectionText, textOfLesson, tidyLesson } from '../../src/domain/lessons/lesson-text.js';
import { runs } from '../support/seed.js';

const part = fc.oneof(
  fc.constantFrom(
    ...['\n', '\r\n', '\n\n## X\n', '```', '~~~\n', '# ', '- ', '---\n', '\u200b', '**a:**'],
  ),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.lorem({ maxCount: 3 }),
);
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
const words = fc.lorem({ maxCount: 8 });
const lesson = fc
  .record({
    title: fc.tuple(words, text).map((both) => both.join(' ')),
    content: fc.tuple(text, words).map((both) => both.join(' ')),
  })
  .map((learned) => tidyLesson({ category: 'api', ...learned }))
  .filter((tidy) => tidy !== undefined);
const addition = { category: 'api', date: '2026-01-05', feature: 'f-1' };

describe('a lesson after any text', () => {
  it('leaves the text as it is and ends with a line end', () => {
    fc.assert(
      fc.property(text, lesson, (before, learned) => {
        const after = withLessons(before, { ...addition, lessons: [learned] });
        expect(after.startsWith(before)).toBe(true);
        expect(after.endsWith('\n')).toBe(true);
      }),
      runs(1000),
    );
  });

  it('is found there again as the same lesson', () => {
    fc.assert(
      fc.property(text, fc.array(lesson, { minLength: 1, maxLength: 3 }), (before, lessons) => {
        const after = withLessons(before, { ...addition, lessons });
        const stored = readLessons(after).map(lessonWords);
        for (const learned of lessons) {
          const wanted = lessonWords(textOfLesson(learned));
          expect(stored.some((lesson) => saysTheSame(lesson, wanted))).toBe(true);
        }
      }),
      runs(1000),
    );
  });

  it('is one chunk of a new category, for any content', () => {
    fc.assert(
      fc.property(fc.array(lesson, { minLength: 1, maxLength: 3 }), (lessons) => {
        const chunks = chunksOf(withLessons('', { ...addition, lessons }));
        expect(chunks.map(({ content }) => content.split('\n').length)).toEqual(
          lessons.map(() => 3),
        );
      }),
      runs(500),
    );
  });
});

it('gives a reflection of any text one section per lesson', () => {
  const lessons = fc.array(lesson, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(words, text, lessons, (title, description, all) => {
      const reflection = reflectionText({ title, description, lessons: all });
      const sections = reflection.split('\n').filter((line) => line.startsWith('## '));
      expect(sections).toHaveLength(all.length);
      expect(chunksOf(reflection).length).toBeLessThanOrEqual(all.length + 1);
      expect(chunksOf(reflection).length).toBeGreaterThanOrEqual(all.length);
    }),
    runs(500),
  );
});

function chunksOf(markdown: string) {
  return chunkMarkdownFile(markdown, { parseYaml: () => ({}) });
}
