import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GitIgnoreRules } from '../../../src/adapters/files/git-ignore-rules.js';
import { withoutNegatedSets } from '../../../src/adapters/files/negated-sets.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const NAMES = [
  'a.md',
  'b.md',
  'z.md',
  '9.md',
  '_.md',
  'A.md',
  '-.md',
  'ab.md',
  'log-1.md',
  'logs.md',
  'd/b.md',
  'd/a.md',
];

test('sets that are negated leave out what git leaves out', { timeout: 60_000 }, () => {
  const project = projects.make(Object.fromEntries(NAMES.map((name) => [name, '# Text'])));
  execFileSync('git', ['init', '-q'], { cwd: project.path });
  const members = fc.array(
    fc.constantFrom('a', 'b', 'z', 'A', '9', '_', 'a-c', '0-9', 'A-Z', '.', '[:digit:]'),
    { minLength: 1, maxLength: 3 },
  );
  const set = fc.tuple(fc.constantFrom('!', '^', ''), fc.constantFrom('', ']'), members);
  const part = fc.oneof(
    set.map(([sign, bracket, list]) => `[${sign}${sign && bracket}${list.join('')}]`),
    fc.constantFrom('log-', 'log', '*', '?', 'a', 'd/', '/'),
  );
  const pattern = fc
    .array(part, { minLength: 1, maxLength: 3 })
    .map((parts) => `${parts.join('')}.md`);
  fc.assert(
    fc.property(
      pattern.filter((text) => text.includes('[!') || text.includes('[^')),
      (line) => {
        project.write('.gitignore', `${line}\n`);
        const rules = GitIgnoreRules.none.with(project.path, '');
        const ours = NAMES.filter((name) => rules.ignores(name, 'file'));
        expect(ours, line).toEqual(ignoredByGit(project.path));
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ['[!a].md', ['b.md', 'z.md', '9.md', '_.md', 'A.md', '-.md', 'd/b.md']],
  ['[!a-z].md', ['9.md', '_.md', 'A.md', '-.md']],
  ['log[!s]*.md', ['log-1.md']],
  ['\\[!a].md', []],
  ['[[:digit:]].md', ['9.md']],
  ['[[:lower:]_].md', ['a.md', 'b.md', 'z.md', '_.md', 'd/b.md', 'd/a.md']],
  ['[![:alnum:]].md', ['_.md', '-.md']],
])('%s ignores %j', (line, expected) => {
  const project = projects.make({ '.gitignore': `${line}\n` });
  const rules = GitIgnoreRules.none.with(project.path, '');
  expect(NAMES.filter((name) => rules.ignores(name, 'file'))).toEqual(expected);
});

test('an unknown class of signs is not understood', () => {
  expect(withoutNegatedSets('[![:nope:]].md')).toBeUndefined();
  expect(withoutNegatedSets('[[:nope:]].md')).toBeUndefined();
});

function ignoredByGit(cwd: string): readonly string[] {
  try {
    const out = execFileSync('git', ['check-ignore', '--no-index', '--', ...NAMES], {
      cwd,
      encoding: 'utf8',
    });
    const ignored = new Set(
      out
        .trim()
        .split('\n')
        .map((name) => name.replace(/^"|"$/g, '')),
    );
    return NAMES.filter((name) => ignored.has(name));
  } catch {
    return [];
  }
}
