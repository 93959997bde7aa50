import { describe, expect, it } from 'vitest';
import { deadPatternReason, isDocumentationFile } from '../../../src/domain/documentation.js';

describe('a documentation file', () => {
  it.each(['a.md', 'A.MD', 'a.mdx', 'a.Markdown', 'a.txt', 'a.rst', 'a.adoc'])('is %s', (name) => {
    expect(isDocumentationFile(name)).toBe(true);
  });

  it.each(['a.ts', 'md', 'a.md.bak', 'a.md~', 'a.markdowns'])('is not %s', (name) => {
    expect(isDocumentationFile(name)).toBe(false);
  });
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
