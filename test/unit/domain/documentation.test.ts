import { describe, expect, it } from 'vitest';
import {
  deadPartReason,
  deadPatternReason,
  documentationEnding,
  foldersNamedBy,
  isDocumentationFile,
  isDocumentationFolder,
  isSkippedUnnamed,
  reasonToIgnore,
  unmatchedReason,
  withPlainEnding,
} from '../../../src/domain/documentation.js';

describe('a documentation file', () => {
  it.each(['a.md', 'A.MD', 'a.mdx', 'a.mdc', 'a.Markdown', 'a.txt', 'a.rst', 'a.adoc'])(
    'is %s',
    (name) => {
      expect(isDocumentationFile(name)).toBe(true);
    },
  );

  it.each(['a.ts', 'md', 'a.md.bak', 'a.md~', 'a.markdowns'])('is not %s', (name) => {
    expect(isDocumentationFile(name)).toBe(false);
  });
});

it('folders that are hidden, of packages or of results hold no documentation', () => {
  const names = ['docs', 'node', '.git', '.knowledge', 'node_modules', 'dist', 'coverage'];
  expect(names.filter(isDocumentationFolder)).toEqual(['docs', 'node', 'dist', 'coverage']);
  expect(names.filter((name) => reasonToIgnore(name))).toEqual(['dist', 'coverage']);
});

it.each([
  ['.app/context/*.md', ['.app/context']],
  ['.app/{a,b}/c/**/d.md', ['.app/a/c', '.app/b/c']],
  ['.app/a?/b.md', ['.app']],
  ['.app/x.md', ['.app']],
  ['.app/.git/x.md', ['.app']],
  ['**/*.md', ['']],
  ['docs/.app/x.md', ['docs/.app']],
  ['.serena/memories/**', ['.serena/memories']],
  ['.github/', ['.github']],
  ['docs/build/**', ['docs/build']],
  ['docs/**', ['docs']],
  ['x.md', ['']],
])('%s names the folders %j', (pattern, folders) => {
  expect(foldersNamedBy([pattern])).toEqual(folders);
});

it('hidden folders, build folders and those below are searched only if they are named', () => {
  const folders = ['docs', '.app', '.app/docs', 'docs/build', 'build/docs', 'builds', ''];
  expect(folders.filter(isSkippedUnnamed)).toEqual([
    '.app',
    '.app/docs',
    'docs/build',
    'build/docs',
  ]);
});

describe('a pattern', () => {
  it.each([
    '**/*.md',
    '**/*.MD',
    'docs/**',
    '**',
    'README*',
    '*d',
    '*.m?',
    '*.{ts,rst}',
    '{src,docs}/*.{ts,txt}',
    'a?md',
    './docs/a.md',
    '.notes.md',
    'node_modules.md',
    'docs/*.*',
    '.knowledge/context/*.md',
  ])('can match documentation: %s', (pattern) => {
    expect(deadPatternReason(pattern)).toBeUndefined();
  });

  it.each(['src/**/*.ts', '*.docx', 'README', '*.{ts,js}', 'md'])(
    'is reported because it can match nothing: %s',
    (pattern) => {
      expect(deadPatternReason(pattern)).toMatch(/end in \.md, \.mdx/);
    },
  );
});

it.each([
  ['docs/*.{md,html}', '"*.html" in it matches nothing'],
  ['{src,docs}/*.{ts,txt}', '"*.ts" in it matches nothing'],
  ['a.{ts,js,md}', '"a.ts" and "a.js" in it matches nothing'],
])('a part of %s can match nothing', (pattern, reason) => {
  expect(deadPartReason(pattern)).toContain(reason);
  expect(deadPatternReason(pattern)).toBeUndefined();
  expect(deadPartReason('docs/**/*.{md,mdx}')).toBeUndefined();
});

it.each(['vendor', 'third_party', 'site-packages', 'Pods', 'bower_components', 'jspm_packages'])(
  'the folder %s holds code of others',
  (name) => expect(reasonToIgnore(name)).toBe('it holds third-party code'),
);

it.each([
  ['Docs/**', 'this pattern matched no file; docs/a.md differs only in letter case'],
  [
    '~/docs/**/*.md',
    'this pattern matched no file: patterns are relative to the project folder, and "~" is not expanded',
  ],
  ['docs/*.md, notes/*.md', 'this pattern matched no file: write each pattern as a separate entry'],
  ['notes/*.md', 'this pattern matched no file'],
  ['notes/*.{md,mdx}', 'this pattern matched no file'],
])('%j matched nothing, and why', (pattern, reason) => {
  expect(unmatchedReason(pattern, ['docs/a.md'])).toBe(reason);
});

it.each([
  ['a.RST', '.rst'],
  ['docs/a.txt', '.txt'],
  ['requirements.txt', undefined],
  ['x/requirements-dev.txt', undefined],
  ['LICENSE.TXT', undefined],
  ['LICENSE.rst', '.rst'],
  ['robots.adoc', '.adoc'],
  ['x/robots.txt', undefined],
  ['robots/x.txt', '.txt'],
  ['readme', undefined],
  ['a.rst.ts', undefined],
])('%s has the extension %s of a documentation file', (path, ending) => {
  expect(documentationEnding(path)).toBe(ending);
});

it.each([
  ['README.MD', 'README.md'],
  ['Docs/A.Markdown', 'Docs/A.markdown'],
  ['A.B.MD', 'A.B.md'],
  ['Docs.D/README', 'Docs.D/README'],
  ['docs/.ENV', 'docs/.ENV'],
  ['.ENV', '.ENV'],
  ['README', 'README'],
])('the extension of %s is made plain: %s', (path, plain) => {
  expect(withPlainEnding(path)).toBe(plain);
});
