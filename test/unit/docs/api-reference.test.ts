import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiReference } from '../../../bench/documents/api-reference.js';

const written = apiReference();

test('docs/api-reference.md is what `npm run reference` writes', () => {
  expect(readFileSync('docs/api-reference.md', 'utf8')).toBe(written);
});

test('the reference explains every field', () => {
  const rows = written.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => /\| (?:yes|no) \| +\|$/.test(row))).toEqual([]);
});
