import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { chunkMarkdownFile, cutMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { hasMergeConflict } from '../../../src/domain/chunks/merge-conflicts.js';
import { syntaxFor } from '../../../src/domain/chunks/other-syntaxes.js';
import {
  CHUNK_MAX_CHARACTERS,
  SOURCE_MAX_CHUNKS,
  SOURCE_MAX_LINES,
} from '../../../src/domain/limits.js';
import { estimateTokens } from '../../../src/domain/text.js';

describe('chunkMarkdownFile with ## headings', () => {
  it('makes each section a chunk under its heading', () => {
    const text =
      '## Storage\n\nUse WAL.\n\n### Why\nReaders do not wait.\n\n## API ##\nAnswer JSON.\n';
    expect(chunk(text)).toEqual([
      { heading: 'Storage', content: 'Use WAL.\n\n### Why\nReaders do not wait.', chunkIndex: 0 },
      { heading: 'API', content: 'Answer JSON.', chunkIndex: 1 },
    ]);
  });

  it('creates a separate chunk for the text before the first section, under the title', () => {
    expect(outline('# Guide\nRead me first.\n\n## Setup\nRun it.')).toEqual([
      ['Guide', '# Guide\nRead me first.'],
      ['Setup', 'Run it.'],
    ]);
  });

  it('creates no chunk for a lone title', () => {
    expect(outline('# Guide\n\n## Setup\nRun it.')).toEqual([['Setup', 'Run it.']]);
  });

  it('puts a lone title before the first section on request', () => {
    const options = { parseYaml: () => undefined, loneTitle: 'prepend' } as const;
    const textsOf = (text: string) =>
      chunkMarkdownFile(text, options).map(({ heading, content }) => [heading, content]);
    expect(textsOf('# Guide\n\n## Setup\nRun it.\n## Use\nType.')).toEqual([
      ['Setup', '# Guide\n\nRun it.'],
      ['Use', 'Type.'],
    ]);
    expect(textsOf('# Guide\n##\n\n## Setup\nRun it.')).toEqual([['Setup', '# Guide\nRun it.']]);
    expect(textsOf('# Guide\nRead me.\n## Setup\nRun it.')).toEqual([
      ['Guide', '# Guide\nRead me.'],
      ['Setup', 'Run it.'],
    ]);
    expect(textsOf('## Setup\nRun it.')).toEqual([['Setup', 'Run it.']]);
  });

  it('keeps a heading without text below it', () => {
    expect(outline('## Open questions\n\n## Setup\nRun it.')).toEqual([
      ['Open questions', ''],
      ['Setup', 'Run it.'],
    ]);
  });

  it('gives a section without heading text the title of the file', () => {
    expect(outline('# Guide\n\n##\nRun it.')).toEqual([['Guide', 'Run it.']]);
    expect(outline('# Guide\n\n##\n\nRun it.')).toEqual([['Guide', 'Run it.']]);
    expect(outline('# Guide\n\n##\n\n##  ##\n')).toEqual([['Guide', 'Guide']]);
    expect(outline('##\n')).toEqual([]);
  });

  it('does not see headings in code fences, indented code, or without a blank after the signs', () => {
    const code =
      '```md\n## In a fence\n``\n```\n\n~~~\n```\n## Still\n~~~\n\n    ## Indented\n##None';
    expect(outline(`## Real\n${code}`)).toEqual([['Real', code]]);
  });

  it('lets a fence that is never closed end with the text', () => {
    expect(outline('## Real\n```\n## Not\ntext')).toEqual([['Real', '```\n## Not\ntext']]);
  });
});

describe('chunkMarkdownFile, the blocks of markdown', () => {
  it.each([
    [
      'closes a fence behind a list marker',
      '- ```sh\n  # no heading\n  npm i\n  ```\n\n## Next\n\ntext',
      [
        [undefined, '- ```sh\n  # no heading\n  npm i\n  ```'],
        ['Next', 'text'],
      ],
    ],
    [
      'ends a fence with its quote',
      '> ```\n> code\n\n## Next\ntext',
      [
        [undefined, '> ```\n> code'],
        ['Next', 'text'],
      ],
    ],
    [
      'takes an underlined heading of two lines',
      'Retry  \n limits\n---\nThree times.\n\n---\n\nEnd.',
      [['Retry limits', 'Three times.\n\n---\n\nEnd.']],
    ],
    [
      'leaves rules, tables and lists alone',
      '## T\n\n---\n| a |\n|---|\n- b\n---',
      [['T', '---\n| a |\n|---|\n- b\n---']],
    ],
    [
      'ends a section at the # of the next part',
      '# A\na\n## B\nb\n# C\nc\n## D\nd',
      [
        ['A', '# A\na'],
        ['B', 'b'],
        ['C', 'c'],
        ['D', 'd'],
      ],
    ],
    [
      'keeps text between two rules',
      '---\nOnly on Tuesdays.\n---\nMore.',
      [['Only on Tuesdays.', 'More.']],
    ],
    [
      'reads no heading and no fence in a comment or <pre>',
      '## A\n<!--\n## no\n```\n-->\n<pre>\n## no\n</pre>\n## B\nb',
      [
        ['A', '<pre>\n## no\n</pre>'],
        ['B', 'b'],
      ],
    ],
    [
      'reads headings inside <details>',
      '<details>\n\n## A\na\n</details>',
      [
        [undefined, '<details>'],
        ['A', 'a\n</details>'],
      ],
    ],
    [
      'leaves the data of pictures out',
      `## A\n![x](data:image/png;base64,${'iVBOR'.repeat(50)}) and [y](data:text/plain,short)`,
      [['A', '![x]() and [y](data:text/plain,short)']],
    ],
  ])('%s', (_, text, expected) => {
    expect(outline(text)).toEqual(expected);
  });

  it.each([
    ['1. ~~~\n   # no\n   ~~~\n\n## Next\ntext', [undefined, 'Next']],
    ['- - ```\n    ## no\n    ```\n## Next\ntext', [undefined, 'Next']],
    ['*\t```\n\t## no\n\t```\n\n## Next\ntext', [undefined, 'Next']],
    ['- ```\n  ## no\n\nback\n## Next\ntext', [undefined, 'Next']],
    ['Retries   \n---   \nThree.', ['Retries']],
    ['Retries\n-\nThree.', ['Retries']],
    ['importance: 0.9\n---\nThree.', ['importance: 0.9']],
    ['> Retries\n---\nThree.\n\n## Next\ntext', [undefined, 'Next']],
    ['[Retries]:\n---\nThree.', ['[Retries]:']],
    ['- Retries\n---\nThree.', [undefined]],
    ['## B\nb\n\nC\n===\nc\n\n## D\nd', ['B', 'C', 'D']],
    ['## B\nb\n# C #\nc', ['B', 'C']],
    ['## A\n<script>\n## no\n```\n</script>\n## B\nb', ['A', 'B']],
    ['## A\n<!-- ## no ``` -->\n## B\nb', ['A', 'B']],
    ['## A\n  <!--\n\n## no\n-->\ntext\n## B\nb', ['A', 'B']],
  ])('reads of %j the headings %j', (text, headings) => {
    expect(outline(text).map(([heading]) => heading)).toEqual(headings);
  });

  it('keeps a data URI of 200 characters', () => {
    const picture = `![x](${'data:image/png;base64,'.padEnd(200, 'Q')})`;
    expect(outline(`## A\n${picture}`)).toEqual([['A', picture]]);
  });

  it.each([
    [`<img src="data:image/png;base64,${'Q'.repeat(300)}">`, '<img src="">'],
    [`[p]: data:image/png;base64,${'Q'.repeat(300)}`, '[p]:'],
    [`![x](data:image/svg+xml;utf8,${'%3Csvg'.repeat(60)} "t") z`, '![x]( "t") z'],
    [`url('data:font/woff2;base64,${'Q'.repeat(300)}') x`, "url('') x"],
    [`![x](DATA:Image/PNG;base64,${'Q'.repeat(300)}) z`, '![x]() z'],
    [`![x](${'data:image/png;base64,'.padEnd(201, 'Q')}) z`, '![x]() z'],
  ])('leaves the data out of %s', (text, content) => {
    expect(outline(`## A\n${text}`)).toEqual([['A', content]]);
  });

  it('repeats the header of a table, and the fence of code, in each piece', () => {
    const rows = Array.from({ length: 6 }, (_, i) => `| k${i} | one two three |`);
    const table = outline(`## T\n| k | v |\n|---|---|\n${rows.join('\n')}`, 50);
    expect(table.length).toBeGreaterThan(1);
    for (const [, content] of table)
      expect(content).toMatch(/^\| k \| v \|\n\|---\|---\|(\n\| k\d \| one two three \|)+$/);
    const code = Array.from({ length: 8 }, (_, i) => `run ${i} with care`).join('\n');
    const fences = outline(`## T\n~~~sh\n${code}\n~~~`, 20);
    expect(fences.length).toBeGreaterThan(1);
    for (const [, content] of fences) expect(content).toMatch(/^~~~sh\nrun[^~]*\n~~~$/);
  });
});

describe('chunkMarkdownFile, what each piece of a fence or a table repeats', () => {
  it.each([
    [
      6.5,
      '```\none two three\nfour five six',
      ['```\none two three\n```', '```\nfour five six\n```'],
    ],
    [
      6.5,
      '```\none. two three\nfour. five six\n```  ',
      ['```\none. two three\n```', '```\nfour. five six\n```'],
    ],
    [
      16,
      '| k |\n|---|\n| a b c d e f g |\n\nText.',
      ['| k |\n|---|\n| a b c d e f g', '| k |\n|---|\n|', 'Text.'],
    ],
    [9, '> ```\n> a b c\n> d e f\n> ```', ['```\n> a b c\n```', '```\n> d e f\n```']],
    [5.2, '```\none two\nthree\n```', ['```\none two\n```', '```\nthree\n```']],
    [5, '```\none two\nthree\n```', ['```\none two', 'three\n```']],
  ])('with %d tokens in a piece, %j', (maxTokens, text, pieces) => {
    expect(outline(text, maxTokens).map(([, content]) => content)).toEqual(pieces);
  });

  it.each([
    ['| a |', '|=|'],
    ['| a |', 'b - | c'],
    ['| a |', '|-| x'],
    ['| a |', 'x |-|'],
    ['| a |', '- - -'],
    ['| a |', '| : |'],
    ['a', '|---|'],
  ])('is nothing where %j and %j begin no table', (header, delimiter) => {
    const pieces = outline(`${header}\n${delimiter}\n${'one two three four five '.repeat(6)}`, 20);
    expect(pieces.length).toBeGreaterThan(2);
    for (const [, content] of pieces.slice(1))
      expect(content).toMatch(/^(one|two|three|four|five) /);
  });

  it('is counted in the size of a piece', () => {
    const pieces = outline(`\`\`\`js\n${'x'.repeat(20_000)}\n\`\`\``);
    for (const [, content = ''] of pieces)
      expect(content.length).toBeLessThan(CHUNK_MAX_CHARACTERS);
    expect(pieces).toHaveLength(3);
  });

  it.each([
    [3900, 'repeated'],
    [4100, 'left out'],
  ])('is a header row of %i letters: %s', (length, expected) => {
    const rows = [3000, 2000].map((letters) => `| ${'x'.repeat(letters)} |`);
    const [, second] = outline(`| ${'h'.repeat(length)} |\n|---|\n${rows.join('\n')}`);
    expect(`${second?.[1]}`.startsWith('| h')).toBe(expected === 'repeated');
  });
});

describe('files that are not markdown', () => {
  const outlineOf = (file: string, text: string) =>
    chunkMarkdownFile(text, { parseYaml, syntax: syntaxFor(file) }).map((c) => [
      c.heading,
      c.content,
    ]);

  it('have the underlined headings of reStructuredText', () => {
    const text =
      '=====\nGuide\n=====\n\nIntro.\n\nSetup\n-----\nRun it.\n\nDeep\n~~~~\nMore.\n\nUse\n-----\nType::\n\n    # no\n    ----\n';
    expect(outlineOf('a.rst', text)).toEqual([
      ['Guide', 'Guide\n=====\n\nIntro.'],
      ['Setup', 'Run it.\n\nDeep\n~~~~\nMore.'],
      ['Use', 'Type::\n\n    # no\n    ----'],
    ]);
    expect(outlineOf('a.rst', ' \n====\nx')).toEqual([[undefined, '====\nx']]);
    expect(outlineOf('a.rst', 'One\n===\na\nTwo\n===\nb\n')).toEqual([
      ['One', 'a'],
      ['Two', 'b'],
    ]);
  });

  it('have the headings of AsciiDoc, and none in its blocks', () => {
    const text =
      '= Guide\n\n== Setup\nRun it.\n\n----\n== no heading\n----\n\n=== Deep\nMore.\n\n== Use\nType.\n';
    expect(outlineOf('a.ADOC', text)).toEqual([
      ['Setup', 'Run it.\n\n----\n== no heading\n----\n\n=== Deep\nMore.'],
      ['Use', 'Type.'],
    ]);
  });

  it.each([
    ['a.rst', 'Title\n===\nx', [undefined]],
    ['a.rst', '   y\n===\nx', [undefined]],
    ['a.rst', '---\n===\nx', [undefined]],
    ['a.rst', '\n====\nx', [undefined]],
    ['a.rst', 'Title\n===  \nx', [undefined]],
    ['a.rst', 'a=b\n=-=\nx', [undefined]],
    ['a.rst', '++++\nT\n===\n\nx\n\nU\n===\ny', ['T', 'U']],
    ['a.adoc', '....\n== A\n----\n== B\n....\n\n== C\nc', [undefined, 'C']],
    ['a.adoc', '....\nx\n== A\n....\n== C\nc', [undefined, 'C']],
    ['a.adoc', '==A\n==  B\nb', [undefined, 'B']],
    ['a.txt.md', '## A\na', ['A']],
    ['README', '## A\na', ['A']],
  ])('have in %s, %j, the headings %j', (file, text, headings) => {
    expect(outlineOf(file, text).map(([heading]) => heading)).toEqual(headings);
  });

  it('have no headings in plain text', () => {
    expect(outlineOf('a.txt', '# not a title\n\n## no heading\ntext')).toEqual([
      [undefined, '# not a title'],
      [undefined, '## no heading\ntext'],
    ]);
  });
});

it.each([
  [
    'of the file',
    '---\ntags: a\n---\n# T\n\n## One\n\nText.\n\nTwo\n---\n\nMore text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    8,
    ['6 # T\n\n\nText.', '10 More text.', '15 | a | b |', '16 |---|---|', '17 | 1 | 2 |'],
  ],
  [
    'with the blank lines under a heading',
    '## A\n\n\none two three\nfour five six',
    6,
    ['1 one two three', '5 four five six'],
  ],
  [
    'without a title that stands above a section, and blank lines behind a cut',
    '# Title\n\n## A\n\none two three four five\n\n### B\n\nsix seven eight nine ten',
    9,
    ['3 # Title', '5 one two three four five', '7 ### B', '9 six seven eight nine ten'],
  ],
  [
    'where a line of a fence is cut',
    '```\none two three four five six\nseven\n```',
    6.5,
    ['1 ```\none two three \n```', '2 ```\nfour five six\n```', '3 ```\nseven\n```'],
  ],
])('chunks say in which line they begin: %s', (_, text, maxTokens, expected) => {
  const chunks = cutMarkdownFile(text, { parseYaml, maxTokens, loneTitle: 'prepend' }).chunks;
  expect(chunks.map(({ content, line }) => `${line} ${content}`)).toEqual(expected);
});

describe('chunkMarkdownFile without ## headings', () => {
  it('makes each paragraph a chunk with the heading above it: a memory file of auto mode', () => {
    const text = [
      '# patterns',
      '',
      '#### [Pattern] Escalation levels (2026-01-16)',
      '- **Problem solved:** Overdue vouchers need urgency',
      '- **Why this works:** Multipliers grow by themselves',
      '',
      '### Queue items include metadata (2026-01-16)',
      '',
      'Sync is ordered.',
    ].join('\n');
    expect(outline(text)).toEqual([
      [
        'patterns',
        '#### [Pattern] Escalation levels (2026-01-16)\n- **Problem solved:** Overdue vouchers need urgency\n- **Why this works:** Multipliers grow by themselves',
      ],
      ['patterns', '### Queue items include metadata (2026-01-16)\n\nSync is ordered.'],
    ]);
  });

  it.each([
    ['One.\n \nTwo.', ['One.', 'Two.']],
    ['### A\n\nOne.', ['### A\n\nOne.']],
    ['One.\n\nA\n===\n\nTwo.', ['One.', 'A\n===\n\nTwo.']],
  ])('makes of %j the paragraphs %j', (text, contents) => {
    expect(chunk(text).map(({ content }) => content)).toEqual(contents);
  });

  it('keeps a title with the paragraph that follows at once', () => {
    expect(outline('# Title\nFirst.\n\nSecond.')).toEqual([
      ['Title', '# Title\nFirst.'],
      ['Title', 'Second.'],
    ]);
  });

  it('has no heading if there is no title', () => {
    expect(chunk('Just text.')).toEqual([{ content: 'Just text.', chunkIndex: 0 }]);
  });

  it('prefers the given heading', () => {
    const options = { parseYaml, defaultHeading: 'Reflection: f-12' };
    const headings = (text: string) => chunkMarkdownFile(text, options).map((c) => c.heading);
    expect(headings('# Title\nText.\n\nMore.')).toEqual(['Reflection: f-12', 'Reflection: f-12']);
    expect(headings('Text.\n\n## Own\nMore.')).toEqual(['Reflection: f-12', 'Own']);
  });

  it('does not part a paragraph at blank lines inside a code fence', () => {
    expect(outline('Before.\n\n```\na\n\nb\n```\n\nAfter.')).toEqual([
      [undefined, 'Before.'],
      [undefined, '```\na\n\nb\n```'],
      [undefined, 'After.'],
    ]);
  });

  it.each([...['', '\n\n', '\uFEFF', '  \n\t', '---\ntags: [a]\n---\n', '##\n', '---']])(
    'makes no chunk of %j',
    (text) => {
      expect(chunk(text)).toEqual([]);
    },
  );
});

describe('a part without a letter or digit', () => {
  it.each([
    ['a paragraph', 'One.\n\n---\n\nTwo.', ['One.', 'Two.']],
    ['text above the first section', '* * *\n\n## A\nOne.', ['One.']],
    ['a section without a heading', '## A\nOne.\n##\n---', ['One.']],
    ['the whole file', '----\n', []],
    ['Chinese, which has letters', '知。\n\n（…）', ['知。']],
  ])('is no chunk: %s', (_, text, contents) => {
    expect(chunk(text).map(({ content }) => content)).toEqual(contents);
  });

  it('is no piece of a section: blank lines between two that are cut', () => {
    const long = 'one two three four five six';
    const contents = outline(`## A\n<pre>\n${long}\n\n${long}\n</pre>`, 6.5).map(([, one]) => one);
    expect(contents).not.toContain('');
  });

  it('is the text of a section with a heading', () => {
    expect(outline('## A\n---')).toEqual([['A', '---']]);
  });
});

describe('chunkMarkdownFile, limits', () => {
  it('parts a long section at paragraphs, each part under its heading', () => {
    const paragraph = (word: string) => `${word} `.repeat(200).trim();
    const text = `## Long\n${['one', 'two', 'three'].map(paragraph).join('\n\n')}`;
    expect(outline(text)).toEqual([
      ['Long', paragraph('one')],
      ['Long', paragraph('two')],
      ['Long', paragraph('three')],
    ]);
  });

  it('joins paragraphs of a section as long as they fit', () => {
    expect(outline('## S\na b\n\nc d\n\ne f', 6.5)).toEqual([
      ['S', 'a b\n\nc d'],
      ['S', 'e f'],
    ]);
  });

  it('cuts a paragraph at sentence ends, then between words', () => {
    expect(outline('One two. Three four! Five six seven eight nine.', 5.2)).toEqual([
      [undefined, 'One two. Three four!'],
      [undefined, 'Five six seven eight'],
      [undefined, 'nine.'],
    ]);
  });

  it('gives a heading of 400 words at most half of each chunk, and loses none of it', () => {
    const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
    const chunks = chunk(`## ${words.join(' ')}\nThe text.`);
    expect(chunks.map((c) => c.heading)).toEqual(Array(2).fill(words.slice(0, 192).join(' ')));
    expect(
      chunks
        .map((c) => c.content)
        .join(' ')
        .split(/\s+/),
    ).toEqual([...words.slice(192), 'The', 'text.']);
    for (const { heading, content } of chunks) {
      expect(estimateTokens(`${heading} ${content}`)).toBeLessThanOrEqual(500);
    }
  });

  it('cuts a heading that is one word of 9,000 letters', () => {
    const chunks = chunk(`## ${'知'.repeat(9000)}\n\ntext\n`);
    expect(chunks[0]?.heading).toBe('知'.repeat(4000));
    expect(chunks.map(({ content }) => content).join('')).toContain('text');
  });

  it('has exactly 384 words in a full chunk of 500 tokens', () => {
    const [first, second] = chunk('word '.repeat(385));
    expect(first?.content.split(' ')).toHaveLength(384);
    expect(second?.content).toBe('word');
  });

  it('cuts long texts into pieces of the requested size, and leaves short ones whole', () => {
    const sentences = (count: number) =>
      'One two three four five six seven eight nine ten. '.repeat(count);
    const text = `## Fits\n${sentences(38)}\n## Long\n${sentences(40)}\n\n${sentences(3)}`;
    const chunks = chunkMarkdownFile(text, { parseYaml, pieceTokens: 200 });
    const words = chunks.map(({ heading, content }) => [heading, content.split(/\s+/).length]);
    expect(words).toEqual([
      ['Fits', 380],
      ['Long', 150],
      ['Long', 150],
      ['Long', 100],
      ['Long', 30],
    ]);
    const [piece] = chunkMarkdownFile(`## A heading\n${sentences(40)}`, {
      parseYaml,
      pieceTokens: 13,
    });
    expect(piece?.content.split(' ')).toHaveLength(8);
    const [whole] = chunkMarkdownFile(`## ${'h '.repeat(300)}\n${sentences(1)}`, {
      parseYaml,
      pieceTokens: 20,
    });
    expect(whole?.heading?.split(' ')).toHaveLength(192);
  });

  it('cuts a word of more than 8000 characters, but no surrogate pair', () => {
    const pieces = chunk(`x${'🌋'.repeat(4500)}`).map((c) => c.content);
    expect(pieces.map((piece) => piece.length)).toEqual([7999, 1002]);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });
});

describe('chunkMarkdownFile, frontmatter', () => {
  it('gives the metadata to the first chunk only', () => {
    const text = '---\n{ "tags": ["api"], "importance": 0.7 }\n---\n# api\n\nFirst.\n\nSecond.';
    expect(chunk(text)).toEqual([
      { heading: 'api', content: 'First.', chunkIndex: 0, tags: ['api'], importance: 0.7 },
      { heading: 'api', content: 'Second.', chunkIndex: 1 },
    ]);
  });

  it('adds it to every chunk on request', () => {
    const text = '---\n{ "tags": ["api"] }\n---\n## A\nOne.\n## B\nTwo.';
    const chunks = chunkMarkdownFile(text, { parseYaml, metadataOf: 'every' });
    expect(chunks.map(({ tags }) => tags)).toEqual([['api'], ['api']]);
  });

  it('reads a file whose frontmatter is not YAML as if it had none', () => {
    expect(chunk('---\na: [\n---\nText.')).toEqual([{ content: 'Text.', chunkIndex: 0 }]);
  });
});

describe('chunkMarkdownFile with a file of very many parts', () => {
  const WORDS_PER_CHUNK = Math.floor(500 / 1.3);

  it.each([
    ['paragraphs', (index: number) => `p${index}`],
    ['sections', (index: number) => `## s${index}`],
  ])('makes a chunk of each of 5,000 %s', (_, part) => {
    const parts = Array.from({ length: SOURCE_MAX_CHUNKS }, (_, index) => part(index));
    expect(chunk(parts.join('\n\n'))).toHaveLength(SOURCE_MAX_CHUNKS);
  });

  it('joins the paragraphs of one with more, and loses none', () => {
    const parts = Array.from({ length: SOURCE_MAX_CHUNKS + 1 }, (_, index) => `p${index}`);
    const chunks = chunk(parts.join('\n\n'));
    expect(chunks).toHaveLength(Math.ceil((SOURCE_MAX_CHUNKS + 1) / WORDS_PER_CHUNK));
    expect(chunks.flatMap(({ content }) => content.split('\n\n'))).toEqual(parts);
  });

  it('keeps the headings of the sections that it joins in their text, under the title', () => {
    const parts = Array.from({ length: SOURCE_MAX_CHUNKS + 1 }, (_, index) => `## s${index}`);
    const chunks = chunk(`# Title\n\n${parts.join('\n')}`);
    expect(new Set(chunks.map(({ heading }) => heading))).toEqual(new Set(['Title']));
    expect(chunks.map(({ content }) => content).join('\n')).toBe(`# Title\n\n${parts.join('\n')}`);
    expect(chunks.length).toBeLessThan(40);
  });

  it('also joins them if a small limit would create many chunks', () => {
    const text = 'a b c d e f\n\n'.repeat(2000);
    const pieces = outline(text, 3);
    expect(pieces).toHaveLength(Math.ceil(2000 / Math.floor(WORDS_PER_CHUNK / 6)));
  });

  it.each([
    ['line feeds', '\n', 'a'],
    ['carriage returns', '\r', 'a'],
    ['both', '\r\n', 'a'],
    ['sections', '\n', '## a'],
    ['blank lines', '\n', ''],
    ['list items', '\n', '- a'],
  ])('reads the structure of 50,000 lines, and cuts one with more by size: %s', (_, end, line) => {
    const text = (lines: number) => `# T${end}${`${line}${end}`.repeat(lines - 2)}`;
    const last = `## End${end}word`;
    const headings = (lines: number) =>
      chunk(text(lines) + last).map(({ heading, content }) => [
        heading,
        content.split('\n').at(-1),
      ]);
    expect(headings(SOURCE_MAX_LINES - 1).at(-1)?.[0]).toBe(line === '## a' ? 'T' : 'End');
    expect(headings(SOURCE_MAX_LINES + 1).at(-1)).toEqual(['T', 'word']);
  });

  it('gives the metadata to the first chunk', () => {
    const options = { parseYaml: () => ({ importance: 0.9 }) };
    const [first, second] = chunkMarkdownFile(
      `---\nimportance: 0.9\n---\n${'a\n\n'.repeat(6000)}`,
      options,
    );
    expect([first?.importance, second?.importance]).toEqual([0.9, undefined]);
  });
});

/** JSON is YAML enough. */
function parseYaml(yaml: string): unknown {
  try {
    return JSON.parse(yaml);
  } catch {
    return undefined;
  }
}

function chunk(text: string) {
  return chunkMarkdownFile(text, { parseYaml });
}

function outline(text: string, maxTokens = 500) {
  const chunks = chunkMarkdownFile(text, { parseYaml, maxTokens });
  return chunks.map((c) => [c.heading, c.content]);
}

describe('the marks of a merge conflict', () => {
  const parseYaml = () => undefined;
  const conflict = '<<<<<<< HEAD\n## Old\none\n=======\n## New\ntwo\n>>>>>>> topic\n';

  it.each([
    conflict,
    `# T\n\n${conflict}`,
    '---\n<<<<<<< HEAD\ntags: [a]\n=======\ntags: [b]\n>>>>>>> topic\n---\n# T\n',
    conflict.replace('=======', '||||||| base\n## Base\n======='),
    conflict.replaceAll('\n', '\r\n'),
    conflict.replace(' HEAD', '').replace(' topic', ''),
  ])('are recognized in %j and make no heading', (text) => {
    expect(hasMergeConflict(text)).toBe(true);
    const headings = chunkMarkdownFile(text, { parseYaml }).map(({ heading = '' }) => heading);
    expect(headings.filter((one) => /<{7}|one|={7}/.test(one))).toEqual([]);
  });

  it.each([
    `\`\`\`\n${conflict}\`\`\`\n`,
    'a\n=======\n\n>>>>>>> quoted\n',
    '<<<<<<< HEAD\nnever ended\n',
    conflict.replaceAll(/^/gm, '    '),
  ])('are none in %j', (text) => {
    expect(hasMergeConflict(text)).toBe(false);
  });
});

describe('a file with only a title', () => {
  it.each([
    ['# Wombat care\n', 'Wombat care'],
    ['Wombat care\n===\n\n---\n', 'Wombat care'],
    ['---\ntitle: Wombat care\ntags: [a]\n---\n', 'Wombat care'],
    ['---\ndescription: About wombats\n---\n# Wombat care', 'Wombat care\nAbout wombats'],
    ['---\naliases: [Vombatus, Common wombat]\n---\n', 'Vombatus\nCommon wombat'],
  ])('has one chunk with that: %j', (text, content) => {
    const chunks = chunkMarkdownFile(text, { parseYaml: parseFrontmatter });
    expect(chunks).toMatchObject([{ content, chunkIndex: 0 }]);
  });

  it.each([
    ['\n# a', 2],
    ['---\ndescription: b\n---\n\n# a', 5],
    ['---\ntitle: a\n---\n', 4],
  ])('begins where %j says it', (text, line) => {
    const { chunks } = cutMarkdownFile(text, { parseYaml: parseFrontmatter });
    expect(chunks).toMatchObject([{ line }]);
  });

  it.each(['', '\n', '---\ntags: [a]\n---\n', '---\n'])('has none if it is %j', (text) => {
    expect(chunkMarkdownFile(text, { parseYaml: parseFrontmatter })).toEqual([]);
  });
});

describe('references to letters', () => {
  it.each([
    ['caf&eacute;', 'café'],
    ['5&#8364; &#xe9; &#XE9;', '5€ é é'],
    ['&Uuml;ber stra&szlig;e &oelig;uvre', 'Über straße œuvre'],
    ['&zcaron;ena &Lstrok;&oacute;d&zacute; &odblac; &Yuml; &qacute;', 'žena Łódź ő Ÿ &qacute;'],
    ['&alpha;, &Omega;, &sigmaf; and &omega;', 'α, Ω, ς and ω'],
    [
      '&lt;b&gt; &amp; &#60; &nope; &#xd800; &#9999999;',
      '&lt;b&gt; &amp; &#60; &nope; &#xd800; &#9999999;',
    ],
    ['`&eacute;` &eacute;', '`&eacute;` é'],
    ['a &#127; &#128; &#xdfff; &#xe000;', 'a &#127; \x80 &#xdfff; \ue000'],
    ['a &#x10ffff; &#x110000;', 'a \u{10ffff} &#x110000;'],
    ['```\n&eacute;\n```', '```\n&eacute;\n```'],
  ])('in %j are read as %j', (text, content) => {
    expect(chunkMarkdownFile(text, { parseYaml: () => undefined })).toMatchObject([{ content }]);
  });

  it('are read in headings', () => {
    const chunks = chunkMarkdownFile('## Caf&eacute;\n\na\n\nNa&iuml;ve\n---\nb', {
      parseYaml: () => undefined,
    });
    expect(chunks.map(({ heading }) => heading)).toEqual(['Café', 'Naïve']);
  });
});
