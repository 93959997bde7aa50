import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkMarkdownFile } from '../../src/domain/chunks/chunking.js';
import { lessonsIn, withLearnings } from '../../src/domain/lessons/category-text.js';
import { reflectionText } from '../../src/domain/lessons/feature-reflection.js';
import { textOfLearning, tidyLearning } from '../../src/domain/lessons/learning-text.js';
import { lessonWords, saysTheSame } from '../../src/domain/lessons/lesson-similarity.js';
import { runs } from '../support/seed.js';

const part = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r\n',
    '\n\n## X\n',
    '```',
    '~~~\n',
    '# ',
    '- ',
    '---\n',
    '\u200b',
    '**a:**',
  ),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.lorem({ maxCount: 3 }),
);
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
const words = fc.lorem({ maxCount: 8 });
const learning = fc
  .record({
    title: fc.tuple(words, text).map((both) => both.join(' ')),
    content: fc.tuple(text, words).map((both) => both.join(' ')),
  })
  .map((learned) => tidyLearning({ category: 'api', ...learned }))
  .filter((tidy) => tidy !== undefined);
const addition = { category: 'api', date: '2026-01-05', feature: 'f-1' };

describe('a learning behind any text', () => {
  it('leaves the text as it is and ends with a line end', () => {
    fc.assert(
      fc.property(text, learning, (before, learned) => {
        const after = withLearnings(before, { ...addition, learnings: [learned] });
        expect(after.startsWith(before)).toBe(true);
        expect(after.endsWith('\n')).toBe(true);
      }),
      runs(1000),
    );
  });

  it('is found there again as the same lesson', () => {
    fc.assert(
      fc.property(text, fc.array(learning, { minLength: 1, maxLength: 3 }), (before, learnings) => {
        const after = withLearnings(before, { ...addition, learnings });
        const stored = lessonsIn(after).map(lessonWords);
        for (const learned of learnings) {
          const wanted = lessonWords(textOfLearning(learned));
          expect(stored.some((lesson) => saysTheSame(lesson, wanted))).toBe(true);
        }
      }),
      runs(1000),
    );
  });

  it('is one chunk of a new category, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(learning, { minLength: 1, maxLength: 3 }), (learnings) => {
        const chunks = chunksOf(withLearnings('', { ...addition, learnings }));
        expect(chunks.map(({ content }) => content.split('\n').length)).toEqual(
          learnings.map(() => 3),
        );
      }),
      runs(500),
    );
  });
});

it('gives a reflection of any text one section a learning', () => {
  const learnings = fc.array(learning, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(words, text, learnings, (title, description, all) => {
      const reflection = reflectionText({ title, description, learnings: all });
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
