import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GitIgnoreRules } from '../../../src/adapters/files/git-ignore-rules.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const NAMES = [
  ...['a.md', 'b.md', 'z.md', '9.md', '_.md', 'A.md', '-.md', 'ab.md', '].md', '[.md', 'é.md'],
  ...['log-1.md', 'log-1-2-3-4-5.md', 'logs.md', '#a.md', '!a.md', 'a b.md', 'a*.md', ' .md'],
  ...[
    'd/b.md',
    'd/a.md',
    'd/d/a.md',
    'd/e/d/x.md',
    'da/e/x.md',
    'd',
    'd/d',
    'd/e',
    'd/e/d',
    'da',
    'da/e',
  ],
];
const FOLDERS = NAMES.filter((name) => !name.endsWith('.md'));

const SET = fc
  .tuple(
    fc.constantFrom('!', '^', ''),
    fc.constantFrom(']', ''),
    fc.array(
      fc.constantFrom(
        ...[
          'a',
          'b',
          'z',
          'A',
          '9',
          '_',
          '-',
          'a-c',
          '0-9',
          'A-Z',
          '.',
          '[',
          '\\]',
          '!',
          '[a',
          '[:a',
        ],
        ...[
          '[:digit:]',
          '[:alpha:]',
          '[:punct:]',
          '[:nope:]',
          '[::]',
          '--a',
          'a-\\c',
          '\\a-c',
          '^',
        ],
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([sign, bracket, list]) => `[${sign}${bracket}${list.join('')}]`);
const PART = fc.oneof(
  SET,
  fc.constantFrom('*', '**', '***', '?', '/', '**/', '/**', '/**/', 'd', 'd/', 'e', 'a', 'x'),
  fc.constantFrom(
    'log-',
    'log',
    '-*',
    '*-*',
    '\\',
    '\\a',
    '\\*',
    '#',
    '!',
    ' ',
    'é',
    '.md',
    '[',
    ']',
  ),
);
const LINE = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '/', '\\'),
    fc.array(PART, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '.md', '.md', '/', ' ', '\\ ', '\r', '/**'),
  )
  .map(([begin, parts, end]) => `${begin}${parts.join('')}${end}`);

test('a .gitignore ignores what it ignores for git', { timeout: 120_000 }, () => {
  const texts = NAMES.filter((name) => !FOLDERS.includes(name)).map((name) => [name, '# Text']);
  const project = projects.make(Object.fromEntries(texts));
  execFileSync('git', ['init', '-q'], { cwd: project.path });
  fc.assert(
    fc.property(fc.array(LINE, { minLength: 1, maxLength: 3 }), (lines) => {
      project.write('.gitignore', `${lines.join('\n')}\n`);
      const rules = GitIgnoreRules.none.with(project.path, '');
      expect(
        NAMES.filter((name) => isIgnored(rules, name)),
        lines.join('\n'),
      ).toEqual(ignoredByGit(project.path));
    }),
    { numRuns: 150 },
  );
});

test.each([
  [
    '[!a].md',
    [
      'b.md',
      'z.md',
      '9.md',
      '_.md',
      'A.md',
      '-.md',
      '].md',
      '[.md',
      ' .md',
      'd/b.md',
      'd/e/d/x.md',
      'da/e/x.md',
    ],
  ],
  ['log[!s]*.md', ['log-1.md', 'log-1-2-3-4-5.md']],
  ['log-*-*-*-*.md', ['log-1-2-3-4-5.md']],
  ['\\[!a].md', []],
  ['[[:digit:]].md', ['9.md']],
  [
    '[[:lower:]_].md',
    ['a.md', 'b.md', 'z.md', '_.md', 'd/b.md', 'd/a.md', 'd/d/a.md', 'd/e/d/x.md', 'da/e/x.md'],
  ],
  ['[![:nope:]].md', []],
  ['[]9].md', ['9.md', '].md']],
  ['**/e/**/*.md', ['d/e/d/x.md', 'da/e/x.md']],
  ['\ufeff/a.md', ['a.md']],
])('%s ignores %j', (line, expected) => {
  const project = projects.make({ '.gitignore': `${line}\n` });
  const rules = GitIgnoreRules.none.with(project.path, '');
  const files = NAMES.filter((name) => !FOLDERS.includes(name));
  expect(files.filter((name) => rules.ignores(name, 'file'))).toEqual(expected);
});

test('no pattern takes long', () => {
  const lines = Array.from({ length: 100 }, (_, i) => `${'*a'.repeat(200)}${i}b`);
  const project = projects.make({ '.gitignore': [...lines, `${'**/a/'.repeat(90)}b`].join('\n') });
  const rules = GitIgnoreRules.none.with(project.path, '');
  const begin = performance.now();
  expect(rules.ignores(`${'a/'.repeat(100)}${'a'.repeat(200)}`, 'file')).toBe(false);
  expect(performance.now() - begin).toBeLessThan(2000);
});

/** Like git, which never looks into an ignored folder. */
function isIgnored(rules: GitIgnoreRules, path: string): boolean {
  const names = path.split('/');
  return names.some((_, i) => {
    const above = names.slice(0, i + 1).join('/');
    return rules.ignores(above, FOLDERS.includes(above) ? 'folder' : 'file');
  });
}

function ignoredByGit(cwd: string): readonly string[] {
  const input = NAMES.map((name) => `${name}\0`).join('');
  const words = ['check-ignore', '--no-index', '-z', '--stdin'];
  try {
    return execFileSync('git', words, { cwd, input, encoding: 'utf8', stdio: 'pipe' })
      .split('\0')
      .slice(0, -1);
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 1) return [];
    throw error;
  }
}
