import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SOURCE_TYPES } from '../../src/domain/chunks/chunk.js';
import { lessonsSection, type SectionEntry } from '../../src/domain/lessons/lessons-section.js';
import { runs } from '../support/seed.js';

/** What could close a fence, open a heading or hide, and any text around it. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('`', '```', '~~~', '\n', '\r', '\r\n', '\u2028', '\u200b', '\u{e0041}'),
      fc.constantFrom('## Lessons from Similar Features', '#', ' ', '\t', '\0', '\x85', '\v', '\f'),
      fc.constantFrom('```text', '</data>', '<!--', '\\', '[x](y)', '\u202e', '\ud800', '---'),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.integer({ min: 3, max: 40 }).map((length) => '`'.repeat(length)),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

const lesson: fc.Arbitrary<SectionEntry> = fc.record(
  {
    heading: hostile,
    sourceType: fc.constantFrom(...SOURCE_TYPES),
    sourceFile: hostile,
    content: hostile,
  },
  { requiredKeys: ['sourceType', 'sourceFile', 'content'] },
);
const lessons = fc.array(lesson, { minLength: 1, maxLength: 4 });

describe('a section of any lessons', () => {
  it('has one heading and one closed block for each, and every line of content in its block', () => {
    fc.assert(
      fc.property(lessons, (all) => {
        const { outside, blocks, isClosed } = readBlocks(lessonsSection(all));
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

  it('has no sign in a heading that markdown would read', () => {
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

interface Read {
  readonly outside: readonly string[];
  readonly blocks: readonly (readonly string[])[];
  readonly isClosed: boolean;
}

/** The fenced blocks of a text as CommonMark reads them, whatever made it; see its sections 4.5 and 2.1. */
function readBlocks(text: string): Read {
  const outside: string[] = [];
  const blocks: string[][] = [];
  let fence = '';
  for (const line of text.split(/\r\n|[\n\r]/)) {
    const [, run = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    const opens = fence === '' && run !== '' && !(run.startsWith('`') && info.includes('`'));
    const closes = fence !== '' && run.startsWith(fence) && info.trim() === '';
    if (opens) blocks.push([]);
    else if (fence === '') outside.push(line);
    else if (!closes) blocks.at(-1)?.push(line);
    if (opens || closes) fence = opens ? run : '';
  }
  return { outside, blocks, isClosed: fence === '' };
}

/** What is there to be seen, without line ends. */
function bare(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s|\p{Cc}|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu, '');
}
