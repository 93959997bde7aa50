import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import {
  mayHoldMetadata,
  parseMetadata,
  readMetadata,
  readSupersedes,
  splitFrontmatter,
} from '../../../src/domain/chunks/frontmatter.js';
import {
  CITATIONS_PER_CHUNK,
  CITED_PATH_MAX_CHARACTERS,
  FRONTMATTER_MAX_CHARACTERS,
  NAMES_MAX,
} from '../../../src/domain/limits.js';

describe('splitFrontmatter', () => {
  it.each([
    ['---\ntags: [a]\n---\n# T', 'tags: [a]\n', '# T'],
    ['---\r\na: 1\r\n---\r\nB', 'a: 1\r\n', 'B'],
    ['\uFEFF---\na: 1\n...\nB', 'a: 1\n', 'B'],
    ['---\n---\nB', '', 'B'],
    ['---  \na: 1\n--- \nB', 'a: 1\n', 'B'],
    ['---\na: 1\n---', 'a: 1\n', ''],
    ['---\na: ---b\nc: 1\n---\nB', 'a: ---b\nc: 1\n', 'B'],
    [
      '---\ntags:\n- a\n- b\ntitle: Fix: retry\n---\nB',
      'tags:\n- a\n- b\ntitle: Fix: retry\n',
      'B',
    ],
    ['---\ntags: [a,\nb]\nc: "d\ne"\n---\nB', 'tags: [a,\nb]\nc: "d\ne"\n', 'B'],
    ['---\ntitle: "open\ntags: x\n---\nB', 'title: "open\ntags: x\n', 'B'],
    ['---\na: |\n  Prose.\n\n  More.\nb: 1\n---\nB', 'a: |\n  Prose.\n\n  More.\nb: 1\n', 'B'],
    ['---\n# comment\nog:title: x\n"a b": 1\n---\nB', '# comment\nog:title: x\n"a b": 1\n', 'B'],
    ['---\n{a: 1,\nb: 2}\n---\nB', '{a: 1,\nb: 2}\n', 'B'],
    ['---\ntitle:New\ndate:2026-03-14\n---\nB', 'title:New\ndate:2026-03-14\n', 'B'],
    ['---\ntags:["new"]\nc: 1\n---\nB', 'tags:["new"]\nc: 1\n', 'B'],
    ['---\n  a: 1\n  b: 2\n---\nB', '  a: 1\n  b: 2\n', 'B'],
  ])('splits %j', (text, yaml, body) => {
    expect(splitFrontmatter(text)).toEqual({ yaml, body });
  });

  it.each([
    '# T\n---\na: 1\n---\n',
    '---\nnever closed',
    '---\nDeploy only on Tuesdays.\n---\nMore.',
    '---\n- a list\n---\nMore.',
    '---\nNote: deploy only on Tuesdays.\n\nAsk Maria first, always.\n---\nMore.',
    '---\nWarning: the queue is full.\nRestart the consumer by hand.\n---\nMore.',
    '---\nTo do: this\n- call Maria\n- call Ben\n---\nMore.',
    '---\nNote: "never" on Fridays\nand not on Mondays.\n---\nMore.',
    '---\nhttps://example.org/a\n---\nMore.',
    '---\n12:30 standup in room four\n13:00 lunch\n---\nMore.',
    '---\nlocalhost:8080 serves the docs\n---\nMore.',
    '---\nSee: [the guide](a.md)\n\n[Maria](b.md) knows.\n---\nMore.',
    '---\ntags: a\n----\nc: 1\n---\nB',
    '----\na\n---\n',
    '---',
    '',
    ' ---\na\n---\n',
  ])('finds none in %j', (text) => {
    expect(splitFrontmatter(text)).toEqual({ body: text });
  });

  it('takes the byte-order mark from a file without frontmatter', () => {
    expect(splitFrontmatter('\uFEFF# T')).toEqual({ body: '# T' });
  });
});

describe('metadataIn', () => {
  const notYaml = () => undefined;

  it.each([
    [
      'title: Fix: retry\ntags: [a, "b c"]\nimportance: 0.9',
      { tags: ['a', 'b c'], importance: 0.9, title: 'Fix: retry' },
    ],
    ['title: [WIP] x\ntags:\n  - a\n  - b\n', { tags: ['a', 'b'], title: '[WIP] x' }],
    [
      'title: *new*\ntags: a, b\ncites:\n- src/a.ts:4\n',
      { tags: ['a', 'b'], cites: ['src/a.ts:4'], title: '*new*' },
    ],
    ['title: "open\r\ntags: x\r\n', { tags: ['x'], title: '"open' }],
    [
      'title: 7\naliases: [a, "", b]\ndescription:  d ',
      { title: '7', aliases: ['a', 'b'], description: 'd' },
    ],
    ['  tags: nested', {}],
    ['a: [\n- x\ntags: \n-  a\nb - c\n- d', { tags: ['a', 'd'] }],
    ['"x"y\ntags: a [b]', { tags: ['a [b]'] }],
    ['"x"y\ntags: [a"b", "c"d]', { tags: ['a"b"', '"c"d'] }],
    [`"x"y\naliases: [${'a,'.repeat(NAMES_MAX)}b]`, { aliases: Array(NAMES_MAX).fill('a') }],
    ['"x"y\ntitle: [" a "]', { title: 'a' }],
  ])('reads %j entry by entry, which is not YAML', (yaml, expected) => {
    expect(parseMetadata(yaml, notYaml)).toStrictEqual(expected);
  });

  it.each([
    ['tags: [a, b] # both', { tags: ['a', 'b'] }],
    ['tags: ["a, b", c]', { tags: ['a, b', 'c'] }],
    ['tags: [\n  a,\n  b\n]', { tags: ['a', 'b'] }],
    ['tags:\n  [\n    a,\n    b,\n  ]', { tags: ['a', 'b'] }],
    ['tags:\n- a # first\n- "b: c"', { tags: ['a', 'b: c'] }],
    ['tags: [a, b', { tags: ['a', 'b'] }],
    ['importance: 0.9 # high', { importance: 0.9 }],
    ['description: >\n  one\n  two', { description: 'one two' }],
    ['tags: [a]\ntags: [b]', { tags: ['b'] }],
  ])('reads %j also beside an entry that is not YAML', (yaml, expected) => {
    const title = { title: 'Fix: retry' };
    for (const text of [`title: Fix: retry\n${yaml}`, `${yaml}\ntitle: Fix: retry`])
      expect(parseMetadata(text, parseFrontmatter)).toEqual({ ...expected, ...title });
  });

  it.each([
    ['"x"y\ntags: [1.10, 007, 1e3]\nimportance: 0.70', ['1.10', '007', '1e3']],
    ['"x"y\ntags: 1.10', ['1.10']],
    ['tags: [1.10, 007, 1e3, 0x1F]\nimportance: 0.70', ['1.10', '007', '1e3', '0x1F']],
    ['tags:\n- 1.0\n- true\n- 2.\nimportance: 7e-1', ['1.0', 'true', '2.']],
    ['tags: 3.10\nimportance: .7', ['3.10']],
  ])('keeps numbers in the tags of %j as they are written', (yaml, tags) => {
    expect(parseMetadata(yaml, parseFrontmatter).tags).toEqual(tags);
  });

  it.each(['0.70', '7e-1', '.7'])('reads the importance %s as a number', (importance) => {
    expect(parseMetadata(`importance: ${importance}`, parseFrontmatter)).toEqual({
      importance: 0.7,
    });
  });

  it.each([
    ['title: 7', { title: '7' }],
    ['aliases: [1, true, b]', { aliases: ['1', 'b'] }],
  ])('reads the numbers in %j as text', (yaml, expected) => {
    expect(parseMetadata(yaml, parseFrontmatter)).toEqual(expected);
  });

  it('reads entries only up to the maximum length', () => {
    const yaml = (length: number) => '"x"y\ntags: a\n#'.padEnd(length, 'x');
    expect(parseMetadata(yaml(FRONTMATTER_MAX_CHARACTERS), notYaml)).toEqual({ tags: ['a'] });
    expect(parseMetadata(yaml(FRONTMATTER_MAX_CHARACTERS + 1), notYaml)).toEqual({});
  });

  it('does not parse YAML without any of the names', () => {
    const parseYaml = () => expect.unreachable();
    expect(parseMetadata('other: a', parseYaml)).toEqual({});
  });

  it('prefers what YAML says', () => {
    expect(parseMetadata('tags: a', () => ({ tags: ['b'] }))).toEqual({ tags: ['b'] });
  });
});

describe('readMetadata', () => {
  it('reads the frontmatter of a memory file and ignores its nested maps', () => {
    const frontmatter = {
      tags: ['patterns'],
      summary: 'patterns implementation decisions and patterns',
      importance: 0.7,
      relatedFiles: [],
      usageStats: { loaded: 64, tags: ['no'], importance: 1 },
    };
    expect(readMetadata(frontmatter)).toEqual({ tags: ['patterns'], importance: 0.7 });
  });

  it.each([
    [
      ['a', ' b ', '', 3, null, ['c'], { d: 1 }],
      ['a', 'b', '3'],
    ],
    ['a, b,,c ', ['a', 'b', 'c']],
    [['x'.repeat(100), 'x'.repeat(101)], ['x'.repeat(100)]],
  ])('reads tags %j', (tags, expected) => {
    expect(readMetadata({ tags })).toEqual({ tags: expected });
  });

  it('keeps no half of a surrogate pair, which JSON in PostgreSQL refuses', () => {
    expect(readMetadata({ tags: ['a\ud800b'], cites: ['c\udc00.ts'] })).toEqual({
      tags: ['a\ufffdb'],
      cites: ['c\ufffd.ts'],
    });
  });

  it('keeps at most 64 tags', () => {
    const tags = Array.from({ length: 65 }, (_, i) => `t${i}`);
    expect(readMetadata({ tags }).tags).toEqual(tags.slice(0, 64));
  });

  it.each([
    [' src/a.ts:4 ', ['src/a.ts:4']],
    [
      ['a.ts', '', ' ', 7, null, 'b.ts', 'x'.repeat(CITED_PATH_MAX_CHARACTERS + 1)],
      ['a.ts', 'b.ts'],
    ],
    ['x'.repeat(CITED_PATH_MAX_CHARACTERS), ['x'.repeat(CITED_PATH_MAX_CHARACTERS)]],
    [Array(CITATIONS_PER_CHUNK + 1).fill('a.ts'), Array(CITATIONS_PER_CHUNK).fill('a.ts')],
  ])('reads citations %j', (cites, expected) => {
    expect(readMetadata({ cites })).toEqual({ cites: expected });
  });

  it.each([
    [0.4, 0.4],
    [0, 0],
    [7, 1],
    [-1, 0],
  ])('reads importance %d as %d', (importance, expected) => {
    expect(readMetadata({ importance })).toEqual({ importance: expected });
  });

  it.each([
    undefined,
    null,
    'text',
    7,
    [],
    {},
    { tags: [] },
    { tags: {} },
    { importance: '0.5' },
    { importance: Number.NaN },
    { importance: Number.POSITIVE_INFINITY },
    Object.create({ tags: ['inherited'] }),
  ])('finds nothing in %j', (value) => {
    expect(readMetadata(value)).toEqual({});
  });
});

it('may contain metadata if a name of it occurs, or an escaped letter', () => {
  const yamls = ['tags: a', 'importance: 1', 'cites: a', '"\\x74ags": a', 'title: a', 'other: a'];
  expect(yamls.filter(mayHoldMetadata)).toEqual(yamls.slice(0, 5));
});

it.each([
  ['---\n\n---\nx', { yaml: '\n', body: 'x' }],
  ['---\n  tags: a\n--- ', { yaml: '  tags: a\n', body: '' }],
  ['---\n# c\nk: v\n...\nx', { yaml: '# c\nk: v\n', body: 'x' }],
  ['---\n# c\n...', { body: '---\n# c\n...' }],
  ['\uFEFFa \uFEFF', { body: 'a \uFEFF' }],
  ['a \uFEFF', { body: 'a \uFEFF' }],
])('splits %j into %j', (text, expected) => {
  expect(splitFrontmatter(text)).toEqual(expected);
});

it.each([
  [' old ', 'old'],
  [7, '7'],
  ['x'.repeat(255), 'x'.repeat(255)],
  ['x'.repeat(256), undefined],
  [' ', undefined],
  ['a\0b', undefined],
  [['old'], undefined],
  [null, undefined],
])('of supersedes %j reads %j', (supersedes, expected) => {
  expect(readSupersedes({ supersedes })).toBe(expected);
});
