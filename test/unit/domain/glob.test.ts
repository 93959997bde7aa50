import { describe, expect, it } from 'vitest';
import { globMatcher, globProblem, isGlobOrPath } from '../../../src/domain/glob.js';

describe('a glob pattern', () => {
  it.each([
    ['**/*.md', ['a.md', 'docs/a.md', 'a/b/c.md'], ['a.mdx', '.a.md', 'docs/.a.md', '.git/a.md']],
    ['*.md', ['a.md', '😀.md'], ['docs/a.md', '.md']],
    ['docs/**', ['docs/a.md', 'docs/a/b.md'], ['docs', 'docs.md', 'a/docs/b.md', 'docs/.x/a.md']],
    ['**/old/**', ['old/a.md', 'docs/old/deep/a.md'], ['older/a.md', 'old']],
    ['a/**/b.md', ['a/b.md', 'a/x/b.md', 'a/x/y/b.md'], ['a/bb.md', 'ab.md', 'x/a/b.md']],
    ['**', ['a.md', 'a/b.md'], ['.a.md']],
    ['?.md', ['a.md', 'é.md', '😀.md'], ['.md', 'ab.md', '..md']],
    ['a*b*c.md', ['abc.md', 'axxbxxc.md', 'abcbc.md'], ['acb.md', 'abc.mdx']],
    ['a**b.md', ['axb.md'], ['a/b.md']],
    ['a**', ['ab.md', 'a'], ['x.md', 'a/b.md', 'x/y.md']],
    ['**b.md', ['ab.md'], ['a/b.md', 'a/x.md']],
    ['./docs/a.md', ['docs/a.md'], ['a.md']],
    ['././a.md', ['a.md'], ['./a.md']],
    ['a./b.md', ['a./b.md'], ['ab.md']],
    ['a!b.md', ['a!b.md'], ['ab.md']],
    ['{a,b}{a,b}{a,b}{a,b}{a,b}', ['ababa'], ['abab']],
    ['{docs,notes}/*.{md,mdx}', ['docs/a.md', 'notes/b.mdx'], ['other/a.md', 'docs/a.txt']],
    ['docs/{a,b/c}.md', ['docs/a.md', 'docs/b/c.md'], ['docs/c.md']],
    ['.github/*', ['.github/a.md'], ['.github/.a.md']],
    ['a+b$^.md', ['a+b$^.md'], ['aab.md']],
    ['x'.repeat(200), ['x'.repeat(200)], ['x']],
  ])('%s takes %j and not %j', (pattern, taken, left) => {
    expect(globProblem(pattern)).toBeUndefined();
    const matches = globMatcher(['never/**', pattern]);
    expect(taken.filter((path) => !matches(path))).toEqual([]);
    expect(left.filter(matches)).toEqual([]);
  });

  it.each<readonly [string, string]>([
    ['', 'is empty'],
    ['x'.repeat(201), 'is longer than 200 characters'],
    ['/etc/*', 'is absolute or has a .. segment'],
    ['a/../b', 'is absolute or has a .. segment'],
    ['{a,..}/b', 'is absolute or has a .. segment'],
    ...['(a+)+b.md', '?(a)'.repeat(28), '[ab].md', 'a\\*.md', '!a.md', '+(a|b).md'].map(
      (pattern) => [pattern, 'has brackets, parentheses, a backslash or a leading !'] as const,
    ),
    ...['{a,{b,c}}', '{a,b', 'a}', '{a}', '{1..9}', '{a,b}'.repeat(6)].map(
      (pattern) =>
        [
          pattern,
          'has braces that are nested, not closed, without a comma, or with more than 32 combinations',
        ] as const,
    ),
  ])('is refused where it is %s', (pattern, problem) => {
    expect(globProblem(pattern)).toBe(problem);
  });

  it.each(['app/[slug]', 'app/(shop)/[...path]/a.md', 'docs/**', 'a'])(
    '%s chooses files',
    (text) => {
      expect(isGlobOrPath(text)).toBe(true);
    },
  );

  it.each(['app/[ab]*.md', '?(a)', '+(a|b)/{c,d}', '/app/[slug]', '../[a]', '!(a)', 'a\\[b]', ''])(
    '%s chooses no files',
    (text) => {
      expect(isGlobOrPath(text)).toBe(false);
    },
  );

  it('takes no pattern that is refused as one that matches', () => {
    expect(globMatcher(['{a,b', '{1..9}'])('a')).toBe(false);
  });

  it.each([
    '**/a/'.repeat(33).concat('b.md'),
    '*a'.repeat(95).concat('b.md'),
    '**/*a*a*a*a*b/'.repeat(13).concat('x'),
  ])('%s is matched in time that grows with the length of the path', (pattern) => {
    const matches = globMatcher([pattern]);
    const started = performance.now();
    expect(matches(`${'a'.repeat(60)}.md`)).toBe(false);
    expect(matches(`${'a/'.repeat(1900)}${'a'.repeat(250)}.md`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
