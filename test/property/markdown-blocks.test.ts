import { type Node, Parser } from 'commonmark';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMarkdownFile } from '../../src/domain/chunks/chunking.js';
import { headingText, type Line, parseLines } from '../../src/domain/chunks/markdown.js';
import { estimateTokens } from '../../src/domain/text.js';
import { runs } from '../support/seed.js';

/** The reference implementation, which knows no tables. */
const reference = new Parser();

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(' '));
const indent = fc.constantFrom('', '', '', ' ', '  ', '   ', '    ', '\t');
const marker = fc.constantFrom(
  '- ',
  '* ',
  '+   ',
  '1. ',
  '2) ',
  '10. ',
  '-\t',
  '> ',
  '>',
  '- - ',
  '> - ',
);
const sign = fc.constantFrom('# ', '## ', '## ', '### ', '##', '#', '##x');
const fence = fc.constantFrom('```', '```sh', '````', '~~~', '~~~ a`b', '``` a`b');
const rule = fc.constantFrom('---', '===', '-', '=', '***', '- - -', '---  ', '--- x');
const html = fc.constantFrom(
  '<!-- a',
  '-->',
  '<!-- b -->',
  '<pre>',
  'x </pre>',
  '<script>',
  'x </script>',
  '<?php',
  'x ?>',
  '<!DOCTYPE a>',
  '<!a',
  '<![CDATA[ a',
  ']]>',
  '<div>',
  '</details>',
  '<details open',
  '<hr/>',
  '<br>',
  '<img src="a">',
  '<b>a</b>',
  '</a-b >',
  "<a b='c' d>",
);
const leaf = fc.oneof(
  { weight: 4, arbitrary: words },
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.tuple(sign, words).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fence },
  { weight: 2, arbitrary: rule },
  { weight: 1, arbitrary: html },
);
const line = fc
  .tuple(indent, fc.array(marker, { maxLength: 2 }), indent, leaf)
  .map(([first, markers, inner, text]) => `${first}${markers.join('')}${inner}${text}`);
const plainLine = fc.tuple(indent, leaf).map((parts) => parts.join(''));
const file = fc
  .array(fc.oneof(plainLine, plainLine, line), { maxLength: 25 })
  .map((all) => all.join('\n'));
const uncommented = file.map((text) => text.replaceAll('<!--', '<!'));

describe('the blocks of any markdown', () => {
  it('are those of a CommonMark parser: headings outside of quotes and lists, fences and HTML', () => {
    fc.assert(fc.property(file, expectReferenceBlocks), runs(2000));
  });

  it.each([
    '    ```\n# a',
    '   >~~~~\n# a',
    '- >    ```\nb',
    '- ## a\n  b\n  -',
    '* a\n  -',
    '2) <pre>\n  -',
    '- - <script>\n     [x] y',
    '1.\n    ```sh',
    '1. ```\n  ***\n## a',
    '-\n\n  ```\n## a',
    '-\t````\n\n   -  ~~~ x',
    '- ```\n\n\n## a',
    '+    --- x\n   #',
    '+       a\n    ~~~ b\nc\n -',
    '    a\n1) b\n---',
    'a\n  1.\n=',
    'a\n2) b\n=',
    'a\n01. b\n=',
    'a\n21. b\n=',
    'a\n1234567890. b\n=',
    'a\n1. b\n=',
    '>```\n>a',
    '>    ```\n> a',
    '- - ```\n  x\n## a',
    '    a\n---',
    '- ```\nb\n=',
    '-\n  a\n\n  ```\n## b',
    '[a]: b\n=',
    'a\n-     b\n\n    ```',
    '+   10.  ##\n- 2)\n   ``` a`b\n## a',
    ' > ~~~~\n     > - +\n## a',
    '##x\n [x]: y\n-',
    '####### a\n#\n##\tb',
    'a  \n b\n-  ',
    '=-\n--\n=',
    '<pre> a </pre>\n## b',
    '<STYLE\n## a\n</style> b\n## c',
    'a\n</details>\n---\nb',
    '</p>\n---\nb',
    '<img src="a" alt=b>\n---\nb',
    'a\n<br>\n---\nb',
    '<details>\n<summary>a</summary>\n## b\n\n## c\n</details>',
    '<?php\n\n## a\n?>\n## b',
    '<!DOCTYPE html>\n---\n## b',
    '<![CDATA[\n\n## a\n]]>\n## b',
    '- <div>\n\n  ## a',
    '> <div>\n## a',
    '<a b="c\n---',
    '<a b=c"d>\n---',
  ])('are read in %j as by that parser', expectReferenceBlocks);

  it.each([
    '| a | b |\n| - | - |\n| c | d |\n---\ne',
    'a\n| b | c |\n|:--|--:|\n---\nd',
    '| a |\n|---|\n===\nb',
    'a | b\n- | -\nc | d\n  ---\ne',
    '> | a | b |\n> |---|---|\n> | c | d |\n> ---',
    '- | a |\n  |---|\n  | b |\n  ---',
    '| a \\| b |\n|---|\n---',
  ])('tables in %j end at a rule, as on GitHub', (text) => {
    expect(headingsOf(text)).toEqual([]);
  });

  it.each(['| a | b |\n|---|\n---', '| a |\n---', '|---|---|\n---'])(
    'a rule below %j, which is no table, is an underline',
    (text) => {
      expect(headingsOf(text)).toHaveLength(1);
    },
  );

  it.each([
    '{/*\n## a\n\n## b\n*/}\n## Kept',
    'a\n{/* ## b\n# c */}\n## Kept',
    '{/* a */}\n## Kept',
    '{ /*\n## a\n*/ }\n## Kept',
  ])('comments of MDX in %j hold no headings', (text) => {
    expect(headingsOf(text)).toEqual([[2, squeezed('Kept')]]);
  });

  it('lose no word in chunks, outside of comments', () => {
    fc.assert(
      fc.property(uncommented, fc.constantFrom(8, 20, 500), (text, maxTokens) => {
        const chunks = chunksOf(text, maxTokens);
        const kept = chunks.map(({ heading = '', content }) => `${heading}\n${content}`).join('\n');
        const title = referenceHeadings(text).find(([level]) => level === 1)?.[1] ?? '';
        const missing = wordsOf(text).filter((one) => !kept.includes(one) && !title.includes(one));
        expect(missing).toEqual([]);
      }),
      runs(1000),
    );
  });

  it('begin on the lines that their chunks give, also in pieces; the rest of a long heading has no line of its own', () => {
    const cutting = fc.record({
      maxTokens: fc.constantFrom(12, 24, 500),
      loneTitle: fc.constantFrom('drop' as const, 'prepend' as const),
    });
    const titled = fc.tuple(fc.constantFrom('', '# t\n\n## s\n'), file).map((all) => all.join(''));
    fc.assert(
      fc.property(titled, cutting, (text, options) => {
        const lines = parseLines(text);
        const headings = lines.filter(({ headingLevel }) => headingLevel > 0).map(headingText);
        fc.pre(headings.every((one) => estimateTokens(one) <= options.maxTokens / 2 - 1));
        for (const { content, line: at } of cutMarkdownFile(text, { parseYaml, ...options })
          .chunks) {
          const { text: first, headingLevel, fence: code } = lines[at - 1] as Line;
          const [begin = '', afterOpener = ''] = content.split('\n').map((one) => one.trim());
          const isHeading = headingLevel === 1 || headingLevel === 2;
          const isContent = begin !== '' && first.includes(begin);
          const isInFence = begin === code?.opener && first.includes(afterOpener);
          expect(isHeading || isContent || isInFence).toBe(true);
        }
      }),
      runs(1000),
    );
  });

  it('are cut into whole fences, and into tables with their header row', () => {
    const code = fc.array(words, { minLength: 20, maxLength: 60 });
    const section = fc.record({
      intro: words,
      code,
      opener: fc.constantFrom('```sh', '~~~', '- ````'),
    });
    fc.assert(
      fc.property(
        section,
        fc.integer({ min: 40, max: 80 }),
        ({ intro, code: all, opener }, maxTokens) => {
          const closer = opener.replace(/- |sh/g, '');
          const fenced = chunksOf(
            [intro, opener, ...[...all, closer].map((one) => `  ${one}`)].join('\n'),
            maxTokens,
          );
          for (const { content } of fenced) expect(endsOpen(content)).toBe(false);
          const table = ['| k | v |', '|---|---|', ...all.map((one) => `| ${one} | x |`)];
          const pieces = chunksOf(['## T', ...table].join('\n'), maxTokens);
          expect(pieces.length).toBeGreaterThan(1);
          for (const { content } of pieces)
            expect(content).toMatch(/^\| k \| v \|\n\|---\|---\|\n\|/);
        },
      ),
      runs(200),
    );
  });
});

function chunksOf(text: string, maxTokens = 500) {
  return cutMarkdownFile(text, { parseYaml, maxTokens }).chunks;
}

function parseYaml(): undefined {}

function expectReferenceBlocks(text: string): void {
  expect(headingsOf(text)).toEqual(referenceHeadings(text));
  expect(verbatimIn(text)).toEqual(referenceVerbatim(text));
}

/** Numbers of the lines in fences and HTML blocks; what follows the last line end is no line. */
function verbatimIn(text: string): readonly number[] {
  const lines = parseLines(text.replace(/\n$/, ''));
  return lines.flatMap(({ verbatim }, index) => (verbatim ? [index + 1] : []));
}

function referenceVerbatim(text: string): readonly number[] {
  const verbatim = (node: Node): readonly number[] => {
    const isFence = node.type === 'code_block' && node.info !== null;
    if (!isFence && node.type !== 'html_block') return childrenOf(node).flatMap(verbatim);
    const [[first], [last]] = node.sourcepos;
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  };
  return verbatim(reference.parse(text));
}

function headingsOf(text: string) {
  return parseLines(text).flatMap((one) =>
    one.headingLevel > 0 ? [[one.headingLevel, squeezed(headingText(one))]] : [],
  );
}

function referenceHeadings(text: string): readonly (readonly [number, string])[] {
  return childrenOf(reference.parse(text)).flatMap((node) =>
    node.type === 'heading' ? [[node.level, squeezed(textOf(node))] as const] : [],
  );
}

function textOf(node: Node): string {
  return node.literal ?? childrenOf(node).map(textOf).join(' ');
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.next) children.push(child);
  return children;
}

/** The words alone: the reference reads signs such as code spans. */
function squeezed(text: string): string {
  return wordsOf(text).join(' ');
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[a-z]+/g) ?? [];
}

function endsOpen(text: string): boolean {
  return parseLines(`${text}\nprobe`).at(-1)?.fence !== undefined;
}
