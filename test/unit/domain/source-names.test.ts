import { expect, it } from 'vitest';
import { nameWords } from '../../../src/domain/chunks/source-names.js';

it.each([
  ['docs/readMe.md', 'docs/readMe\nread\nMe'],
  ['docs/guide.md', 'docs/guide'],
  ['_.md', '_'],
])('the words of %j are those of its names and its path', (sourceFile, path) => {
  const names = { title: 'A', aliases: ['b', 'c'], description: 'd' };
  expect(nameWords({ sourceFile, names })).toBe(`A\nb\nc\nd\n${path}`);
  expect(nameWords({ sourceFile })).toBe(`\n\n${path}`);
});
