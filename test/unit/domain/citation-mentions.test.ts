import { describe, expect, it } from 'vitest';
import { citedFiles } from '../../../src/app/citations/cited-files.js';
import {
  findMentions,
  type Mention,
  mentionsInEntries,
} from '../../../src/domain/citations/mentions.js';
import { possiblePlaces } from '../../../src/domain/citations/possible-places.js';
import { CITED_PATH_MAX_CHARACTERS, MENTIONS_MAX } from '../../../src/domain/limits.js';

/** As they are written, with lines where there are any. */
function mentioned(text: string): readonly string[] {
  return findMentions(text).map(written);
}

function written({ path, lines }: Mention): string {
  return lines === undefined ? path : `${path}:${lines.from}-${lines.to}`;
}

describe('a mention of a file', () => {
  it.each([
    ['See src/db/pool.ts.', ['src/db/pool.ts']],
    ['The pool (`src/db/pool.ts`) waits.', ['src/db/pool.ts']],
    ['**`src/db/pool.ts`**: the pool', ['src/db/pool.ts']],
    ['[the pool](src/db/pool.ts), [again](./src/db/pool.ts "title")', ['src/db/pool.ts']],
    ['[up](../src/a.ts#L4) and [section](docs/a.md#usage)', ['../src/a.ts:4-4', 'docs/a.md']],
    ['[README.md](docs/README.md) or [5.1](v5.1.md)', ['README.md', 'docs/README.md', 'v5.1.md']],
    ['In package.json and README.md', ['package.json', 'README.md']],
    ['In README.MD', ['README.MD']],
    ['**src/db/pool.ts** waits', ['src/db/pool.ts']],
    ['`bin/start` and [it](scripts/run)', ['bin/start', 'scripts/run']],
    [
      'src/app/(shop)/[id]/page.tsx, src/routes/$id.tsx',
      ['src/app/(shop)/[id]/page.tsx', 'src/routes/$id.tsx'],
    ],
    ['(src/a.ts, src/b.ts; src/c.ts)', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['set it in .env.local', ['.env.local']],
    ['{"file_path": "src/a.ts"}', ['src/a.ts']],
    ['--config=src/a.json', ['src/a.json']],
    ['doku/größe.md', ['doku/größe.md']],
    ['web/icon@2.ts and `theme@2.css`', ['web/icon@2.ts', 'theme@2.css']],
    ['src/a~1.ts, src/c++/b!.ts and src/#a.ts', ['src/a~1.ts', 'src/c++/b!.ts', 'src/#a.ts']],
    ['packages/@acme/a.ts, src/+page.ts', ['packages/@acme/a.ts', 'src/+page.ts']],
    ['_src/a.ts_ and __src/b.ts:4__, __init__.py', ['src/a.ts', 'src/b.ts:4-4', '__init__.py']],
    ['_see src/a.ts_, __see src/b.ts:4__ and `src/_c_`', ['src/a.ts', 'src/b.ts:4-4', 'src/_c_']],
    ['[it](doku/gr%C3%B6%C3%9Fe.md), [too](doku/100%.md)', ['doku/größe.md', 'doku/100%.md']],
    ['[it](<docs/a.md>) and [it](<bin/start>)', ['docs/a.md', 'bin/start']],
    ['[it](docs/a_(b).md) (see docs/c.md)', ['docs/a_(b).md', 'docs/c.md']],
    ['[it] src/a%20b.md, ././src/c.ts', ['src/a%20b.md', 'src/c.ts']],
    ['`src/routes/[id]`, `a.md#L4-L8 or so`', ['src/routes/[id]', 'a.md:4-8']],
    ['@src/a.ts, @README.md', ['src/a.ts', '@src/a.ts', 'README.md']],
    ['`@docs/b.md`', ['docs/b.md', '@docs/b.md']],
    ['src\\db\\pool.ts and `.\\src\\a.ts`', ['src/db/pool.ts', 'src/a.ts']],
    ['参见（src/db/pool.ts）。', ['src/db/pool.ts']],
    ['「src/db/pool.ts」を見る', ['src/db/pool.ts']],
    ['见 src/db/pool.ts。', ['src/db/pool.ts']],
    ['文件：src/db/pool.ts，第12行', ['src/db/pool.ts']],
    ['修改src/db/pool.ts:40即可', ['src/db/pool.ts:40-40']],
    ['설정은 src/a.ts에 있고『src/b.ts』、【docs/c.md】', ['src/a.ts', 'src/b.ts', 'docs/c.md']],
    ['“src/a.ts”, ‘src/b.ts’ and «src/c.ts»', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['文档/指南.md', ['文档/指南.md']],
    ['参见pool.ts。', ['参见pool.ts', 'pool.ts']],
    ['参见src/a.ts。', ['参见src/a.ts', 'src/a.ts']],
    ['·src/a.ts· ・src/b.ts・ —src/c.ts—', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['انظر src/a.ts، ثم src/b.ts؛ src/c.ts؟', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['देखें src/a.ts।', ['src/a.ts']],
    ['`文档（新）/指南.md`', ['文档（新）/指南.md', '/指南.md']],
    ['[[docs/guide]]', ['docs/guide', 'docs/guide.md']],
    ['![[img/a.svg]] [[My Note#part|the note]]', ['img/a.svg', 'img/a.svg.md', 'My Note.md']],
    [
      '[[ docs/guide.md ]], then [[ a guide ]]',
      ['docs/guide.md', 'docs/guide.md.md', 'a guide.md'],
    ],
    ['[[ docs/guide ]]', ['docs/guide', 'docs/guide.md']],
    ['_src/a_b.ts_ and `bin/start_`', ['src/a_b.ts', 'bin/start_']],
    ['`src/a.ts` `src/routes/[id]`.', ['src/a.ts', 'src/routes/[id]']],
    ['修改a.ts和src/db/pool.ts即可', ['a.ts和src/db/pool.ts', 'a.ts', 'src/db/pool.ts']],
    ['修改src/數據/池.ts。', ['修改src/數據/池.ts', 'src/數據/池.ts']],
    ['¿src/a.ts? ¡src/b.ts! ‚src/c.ts‘', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['տես src/a.ts։ ראו src/b.ts׃ ይመልከቱ src/c.ts።', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['ကြည့်ပါ src/a.ts။ មើល src/b.ts។ ༄ src/c.ts།', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['﹁src/a.ts﹂ ⟨src/b.ts⟩ ※src/c.ts', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['\u200bsrc/a.ts\u200b \u2066src/b.ts\u2069', ['src/a.ts', 'src/b.ts']],
    ['✅src/a.ts', ['✅src/a.ts', 'src/a.ts']],
    ['✅src/a.ts:4–8', ['✅src/a.ts:4-8', 'src/a.ts:4-8']],
    ['├──src/a.ts', ['├──src/a.ts', 'src/a.ts']],
    ['path:src/a.ts, #file:src/b.ts and @file:c.ts', ['src/a.ts', 'src/b.ts', 'c.ts']],
    ['@./src/a.ts, @/home/b.ts', ['src/a.ts', '@./src/a.ts', '/home/b.ts', '@/home/b.ts']],
    ['docs/guide.md#install', ['docs/guide.md']],
    ['[it](docs/a.md?plain=1#L4), img/b.svg?raw', ['docs/a.md:4-4', 'img/b.svg']],
    ['test/a.py::TestA::test_b and pool.ts:acquire()', ['test/a.py', 'pool.ts']],
    ['src\\\\a.ts, docs\\über\\b.md', ['src/a.ts', 'docs/über/b.md']],
    ['src/a\\_b.ts', ['src/a/_b.ts', 'src/a_b.ts']],
    ['app/\\[id\\]/a.ts', ['app/[id]/a.ts']],
    ['| [[docs/guide\\|the guide]] |', ['docs/guide', 'docs/guide.md']],
    ['修改src/db/pool.ts和a.ts即可', ['src/db/pool.ts和a.ts', 'src/db/pool.ts', 'a.ts']],
    ['docs/a[b]].md', ['docs/a[b]].md']],
    ['pool.ts(40, 5) and pool.ts(40),5)', ['pool.ts:40-40']],
    ['a\\docs/b.md', ['a/docs/b.md']],
    ['[it](/src/a.ts#L4) and `/home/me/b.ts`', ['/src/a.ts:4-4', '/home/me/b.ts']],
  ])('is in %j', (text, expected) => {
    expect(mentioned(text)).toEqual(expected);
  });

  it.each([
    ['pool.ts:40', 'pool.ts:40-40'],
    ['pool.ts:40-58', 'pool.ts:40-58'],
    ['pool.ts:40:17', 'pool.ts:40-40'],
    ['pool.ts:40:7', 'pool.ts:40-40'],
    ['pool.ts#L40', 'pool.ts:40-40'],
    ['pool.ts#L40-L58', 'pool.ts:40-58'],
    ['pool.ts#L40-58', 'pool.ts:40-58'],
    ['pool.ts:58-40', 'pool.ts'],
    ['pool.ts:0', 'pool.ts'],
    ['pool.ts(40,5)', 'pool.ts:40-40'],
    ['pool.ts(40,15)', 'pool.ts:40-40'],
    ['pool.ts(40:5)', 'pool.ts:40-40'],
    ['pool.ts:L40-L58', 'pool.ts:40-58'],
    ['src/db/pool.ts(40)', 'src/db/pool.ts:40-40'],
    ['pool.ts:40–58', 'pool.ts:40-58'],
    ['pool.ts:40..58', 'pool.ts:40-58'],
    ['pool.ts:40:5-58:17', 'pool.ts:40-58'],
    ['pool.ts:40:in', 'pool.ts:40-40'],
    ['pool.ts#L40C5-L58C17', 'pool.ts:40-58'],
    ['pool.ts(40, 5)', 'pool.ts:40-40'],
    ['pool.ts(40-58)', 'pool.ts:40-58'],
    ['pool.ts(40,5,58,17)', 'pool.ts:40-40'],
  ])('has the lines of %s, bare and in a code span', (text, expected) => {
    expect(mentioned(`at ${text}, then`)).toEqual([expected]);
    expect(mentioned(`at \`${text}\``)).toEqual([expected]);
  });

  it.each([
    'and/or, client/server, read/write',
    'https://example.org/a/pool.ts',
    'mail me@example.md',
    'res.json() or user.name or process.env.PATH, e.g. here',
    'version 1.2.3 of 2026/11/23',
    'all **/*.ts and {dir}/a.ts',
    'C:\\\\a.ts and C:\\a.ts',
    'a .md file, .filter, .test.ts and `.spec.tsx`',
    'all `/.md` files',
    'pool.ts(40 ,5)',
    'in .../pool.ts',
    '`a b`bin/start and `bin/.start`',
    '`` a `` bin/start `b`',
    `src/${'a'.repeat(CITED_PATH_MAX_CHARACTERS)}.ts`,
  ])('is not in %j', (text) => {
    expect(mentioned(text)).toEqual([]);
  });

  it.each([
    ['`docs/first day.md`', 'docs/first day.md'],
    ['`` ./docs/first day.md ``', 'docs/first day.md'],
    ['`docs/first day.md:4-8`', 'docs/first day.md:4-8'],
    ['[it](<docs/first day.md#L4>)', 'docs/first day.md:4-4'],
    ['[it](<my first day.md#usage> "title")', 'my first day.md'],
    ['[it](docs/first%20day.md#L4-L8)', 'docs/first day.md:4-8'],
    ['`bin/my start`', 'bin/my start'],
    ["`docs/first, second & third day's.md`", "docs/first, second & third day's.md"],
    ['[it](<docs/a=b;c.md>)', 'docs/a=b;c.md'],
  ])('is the whole of %s', (text, expected) => {
    expect(mentioned(`See ${text}, then`)).toContain(expected);
  });

  it.each([
    ['docs/first day.md', ['day.md']],
    ['`a: docs/first day.md`', ['docs/first', 'day.md']],
    ['`a` docs/first day.md `b`', ['day.md']],
    ['[a day](docs/a.md)', ['docs/a.md']],
    ['`docs/a.md#first day`', ['docs/a.md']],
  ])('has no spaces in %s', (text, expected) => {
    expect(mentioned(text)).toEqual(expected);
  });

  it('is not in a fenced block', () => {
    const text = '```ts\nimport "src/a.ts";\n```\nsrc/b.ts\nsrc/c.ts\n~~~\nsrc/d.ts';
    expect(mentioned(text)).toEqual(['src/b.ts', 'src/c.ts']);
    expect(mentioned(`${text}\n~~~\n<p>\nsrc/e.ts\n</p>`)).toContain('src/e.ts');
  });

  it('may be as long as the limit', () => {
    const path = `src/${'a'.repeat(CITED_PATH_MAX_CHARACTERS - 'src/.ts'.length)}.ts`;
    expect(mentioned(path)).toEqual([path]);
  });

  it('counts once, and again with other lines', () => {
    expect(mentioned('src/a.ts src/a.ts src/a.ts:4')).toEqual(['src/a.ts', 'src/a.ts:4-4']);
  });

  it('is one of the first so many', () => {
    const many = Array.from({ length: MENTIONS_MAX }, (_, n) => `\`a b${n}.ts\``);
    expect(mentioned(['x.ts', ...many].join(' '))).toHaveLength(MENTIONS_MAX);
  });
});

it.each([
  ['a.md:1', ['./a.md:1-1', 'a.md:1-1']],
  ['././a.md:8-4', ['./a.md', 'a.md']],
  ['src\\a.ts:4-8', ['src/a.ts:4-8']],
  ['docs/./a.md', ['docs/./a.md']],
  ['/etc/a.md', []],
  ['', []],
])('the entry %j of frontmatter stands for %j', (entry, expected) => {
  expect(mentionsInEntries([entry]).map(written)).toEqual(expected);
});

describe('the file that a mention names', () => {
  const paths = [
    'src/db/pool.ts',
    'docs/pool.md',
    'docs/a.md',
    'docs/first day.md',
    'web/day.md',
    'web/index.ts',
    'web/gr\u00fcn.ts',
    'web/ro\u0308d.ts',
    'src/index.ts',
    '.knowledge/memory/m.md',
  ];
  const files = {
    has: async (path: string) => paths.includes(path),
    named: async (name: string) => paths.filter((path) => path.split('/').at(-1) === name),
  };
  const cited = async (text: string, sourceFile = 'docs/a.md') => {
    const source = { sourceFile, appDir: '.knowledge', project: '/home/me/shop' };
    return (await citedFiles(findMentions(text), files, source)).map(({ path }) => path);
  };

  it.each([
    ['src/db/pool.ts', ['src/db/pool.ts']],
    ['[pool](../src/db/pool.ts)', ['src/db/pool.ts']],
    ['[pool](./pool.md)', ['docs/pool.md']],
    ['pool.ts', ['src/db/pool.ts']],
    ['index.ts, which two files are called', []],
    ['src/gone.ts', []],
    ['../../../etc/pool.ts', []],
    ['../../src/db/pool.ts', []],
    ['docs/pool.md and ./pool.md', ['docs/pool.md']],
    ['docs/a.md itself', []],
    ['`docs/first day.md`', ['docs/first day.md', 'web/day.md']],
    ['[it](./first%20day.md)', ['docs/first day.md']],
    ['docs/first day.md', ['web/day.md']],
    ['`docs/first day.md` and day.md', ['docs/first day.md', 'web/day.md']],
    ['`docs/second day.md` and `cat src/db/pool.ts`', ['web/day.md', 'src/db/pool.ts']],
    ['.knowledge/memory/m.md', []],
    ['www.example.org/a.html', []],
    ['github.com/owner/repo.git', []],
    ['Node.js, Next.js and vue.js', []],
    ['all src/{a,b.ts}', []],
    ['`application/json`', []],
    ['`@scope/name` and `/api/users`, /etc/passwd.txt or [it](/etc/a.md)', []],
    ['~/docs/pool.md, /src/db/pool.ts and `/src/db/pool.ts`', []],
    ['[it](/src/db/pool.ts)', ['src/db/pool.ts']],
    [
      '/home/me/shop/src/db/pool.ts:4 or `/home/me/shop/web/day.md`',
      ['src/db/pool.ts', 'web/day.md'],
    ],
    ['[it](/home/me/shop/src/db/pool.ts)', ['src/db/pool.ts']],
    ['file:///home/me/shop/src/db/pool.ts:4', ['src/db/pool.ts']],
    ['[it](file:///home/me/shop/docs/first%20day.md)', ['docs/first day.md']],
    ['file:///etc/passwd.txt', []],
    ['→src/db/pool.ts and ‹web/day.md›', ['src/db/pool.ts', 'web/day.md']],
    ['/home/me/shopping/src/db/pool.ts', []],
    ['/home/me/shop/../x/src/db/pool.ts', []],
    ['@src/db/pool.ts', ['src/db/pool.ts']],
    ['src\\db\\pool.ts', ['src/db/pool.ts']],
    ['[[docs/pool]] [[first day]]', ['docs/pool.md', 'docs/first day.md']],
    ['[[/docs/pool]]', ['docs/pool.md']],
    ['[it](</src/db/pool.ts>)', ['src/db/pool.ts']],
    ['[it](</docs/first day.md>)', ['docs/first day.md', 'web/day.md']],
    ['[it]: /src/db/pool.ts "the pool"', ['src/db/pool.ts']],
    ['<a href="/src/db/pool.ts">', ['src/db/pool.ts']],
    ['web/gru\u0308n.ts', ['web/gr\u00fcn.ts']],
    ['rot\u0308.ts and r\u00f6d.ts', ['web/r\u006f\u0308d.ts']],
    ['[[gone]], [[a.b]] and [[]]', []],
  ])('%s', async (text, expected) => {
    expect(await cited(text)).toEqual(expected);
  });

  it('is not looked for in the application directory', () => {
    const source = {
      sourceFile: '.knowledge/memory/m.md',
      appDir: '.knowledge',
      project: '/home/me/shop',
    };
    expect(possiblePlaces('src/a.ts', source)).toEqual(['src/a.ts']);
  });

  it('is looked for without empty parts and dots in its path', () => {
    const source = { sourceFile: 'docs/b.md', appDir: '.knowledge', project: '/home/me/shop' };
    expect(possiblePlaces('src/.//a.ts', source)).toEqual(['src/a.ts', 'docs/src/a.ts']);
  });

  it('has the lines of each mention', async () => {
    const lines = { from: 1, to: 2 };
    const mentions = [{ path: 'pool.ts', lines }, { path: 'pool.ts' }];
    const source = { sourceFile: 'docs/a.md', appDir: '.knowledge', project: '/home/me/shop' };
    const path = 'src/db/pool.ts';
    expect(await citedFiles(mentions, files, source)).toStrictEqual([{ path, lines }, { path }]);
  });

  it('is one of at most 20', async () => {
    const many = Array.from({ length: 30 }, (_, number) => `src/${number}.ts`);
    const all = { has: async () => true, named: async () => [] };
    const source = { sourceFile: 'a.md', appDir: '.knowledge', project: '/home/me/shop' };
    expect(await citedFiles(findMentions(many.join(' ')), all, source)).toHaveLength(20);
  });
});
