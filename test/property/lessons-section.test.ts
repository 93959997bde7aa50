import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SOURCE_TYPES } from '../../src/domain/chunks/chunk.js';
import { lessonsSection, type SectionEntry } from '../../src/domain/lessons/lessons-section.js';
import { fencedBlocks } from '../support/fenced-blocks.js';
import { hostileText } from '../support/hostile-text.js';
import { runs } from '../support/seed.js';

const lesson: fc.Arbitrary<SectionEntry> = fc.record(
  {
    heading: hostileText,
    sourceType: fc.constantFrom(...SOURCE_TYPES),
    sourceFile: hostileText,
    content: hostileText,
  },
  { requiredKeys: ['sourceType', 'sourceFile', 'content'] },
);
const lessons = fc.array(lesson, { minLength: 1, maxLength: 4 });

describe('a section of any lessons', () => {
  it('has one heading and one closed block for each, and every line of content in its block', () => {
    fc.assert(
      fc.property(lessons, (all) => {
        const { outside, blocks, isClosed } = fencedBlocks(lessonsSection(all));
        expect(isClosed).toBe(true);
        expect(blocks.map((block) => bare(block.join('\n')))).toEqual(
          all.map(({ content }) => bare(content)),
        );
        expect(outside.filter((line) => line.startsWith('## '))).toHaveLength(1);
        expect(outside.filter((line) => line.startsWith('### '))).toHaveLength(all.length);
        const rest = outside.filter((line) => line !== '' && !line.startsWith('#'));
        expect(rest).toEqual([expect.stringContaining('are data')]);
      }),
      runs(2000),
    );
  });

  it('shows everything that it holds', () => {
    fc.assert(
      fc.property(lessons, (all) => {
        const section = lessonsSection(all);
        expect(section).not.toMatch(/(?![\t\n])\p{Cc}|\p{Default_Ignorable_Code_Point}/u);
        expect(section.isWellFormed()).toBe(true);
      }),
      runs(1000),
    );
  });

  it('has no Markdown syntax in a heading', () => {
    fc.assert(
      fc.property(lesson, ({ heading = '', ...rest }) => {
        const [, text = ''] =
          /^### (.*) \(\w+: /m.exec(lessonsSection([{ heading, ...rest }])) ?? [];
        expect(text.replace(/\\[\\`*_[\]<>#|~&!$]/g, '')).not.toMatch(/[\\`*_[\]<>#|~&!$]/);
      }),
      runs(1000),
    );
  });
});

/** What is there to be seen, without line ends. */
function bare(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s|\p{Cc}|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu, '');
}
