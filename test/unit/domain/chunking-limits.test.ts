import { describe, expect, it } from 'vitest';
import { cutMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { SOURCE_MAX_CHUNKS, SOURCE_MAX_LINES } from '../../../src/domain/limits.js';

function cut(text: string, maxTokens = 500) {
  return cutMarkdownFile(text, { parseYaml: () => ({ title: 'Title' }), maxTokens });
}

function outline(text: string, maxTokens = 500) {
  return cut(text, maxTokens).chunks.map(({ heading, content }) => [heading, content]);
}

describe('a file with too many lines', () => {
  const file = (lines: number) => `## A\r\na${'\r'.repeat(lines - 3)}## B\nb`;

  it('is cut by size, others by structure', () => {
    expect(outline(file(SOURCE_MAX_LINES))).toEqual([
      ['A', 'a'],
      ['B', 'b'],
    ]);
    expect(outline(file(SOURCE_MAX_LINES + 1))).toEqual([
      [undefined, '## A\na'],
      [undefined, '## B\nb'],
    ]);
  });

  it.each(['', '---', '* * *'])('has no chunk if each is %j', (line) => {
    expect(outline(`${line}\n`.repeat(SOURCE_MAX_LINES + 1))).toEqual([]);
  });

  it('has one chunk with its title if all are blank', () => {
    const { chunks } = cut(`---\ntitle: Title\n---\n${'\n'.repeat(SOURCE_MAX_LINES)}`);
    expect(chunks).toEqual([{ heading: 'Title', content: 'Title', line: 4 }]);
  });
});

describe('a file with too many parts', () => {
  const parts = 'a\n\n'.repeat(SOURCE_MAX_CHUNKS);

  it('is cut by size, others by structure', () => {
    expect(outline(parts)).toEqual(Array(SOURCE_MAX_CHUNKS).fill([undefined, 'a']));
    const chunks = outline(`${parts}<!-- hidden -->\nb`);
    expect(chunks).toHaveLength(14);
    expect(chunks.at(-1)?.[1]).toBe(`${'a\n\n'.repeat(8)}\nb`);
  });
});

describe('the header row of a table', () => {
  it.each([
    [3987, 'is repeated'],
    [3988, 'is left out'],
  ])('with %i letters %s in the second piece', (length, expected) => {
    const rows = [3000, 2000].map((letters) => `| ${'x'.repeat(letters)} |`);
    const [, second] = outline(`## TT\n| ${'h'.repeat(length)} |\n|---|\n${rows.join('\n')}`);
    expect(`${second?.[1]}`.startsWith('| h')).toBe(expected === 'is repeated');
  });

  it('is not repeated inside a code block', () => {
    const rows = '| a |\n|---|\n| one two three |\n| four five six |';
    expect(outline(`\`\`\`\n${rows}\n\`\`\``, 14)).toEqual([
      [undefined, '```\n| a |\n|---|\n```'],
      [undefined, '```\n| one two three |\n```'],
      [undefined, '```\n| four five six |\n```'],
    ]);
  });
});

describe('the names of a file', () => {
  it('are those of its frontmatter, before its first title', () => {
    const names = { title: 'A', aliases: ['b'], description: 'd' };
    const file = (yaml: string) => `---\n${yaml}\n---\n# C\n\ntext`;
    const namesOf = (text: string, value: unknown) =>
      cutMarkdownFile(text, { parseYaml: () => value }).names;
    expect(namesOf(file('title: A'), names)).toEqual(names);
    expect(namesOf(file('aliases: [b]'), { aliases: ['b'] })).toEqual({
      title: 'C',
      aliases: ['b'],
    });
  });
});

it('a title of several lines above the first section makes no chunk', () => {
  expect(outline('Long\ntitle\n===\n\n## S\ntext')).toEqual([['S', 'text']]);
});
