import { expect, it } from 'vitest';
import { mergeResults } from '../../../src/domain/ranking/merged-results.js';
import { chunk } from '../../support/chunks.js';

/** `.9` is a result with this relevance, `-` one of which nothing is known. */
function project(projectPath: string, ...relevances: readonly string[]) {
  const results = relevances.map((relevance, index) => ({
    chunk: chunk('a.md', index, { content: `${projectPath} ${index}` }),
    score: 1,
    ...(relevance !== '-' && { relevance: Number(relevance) }),
  }));
  return { projectPath, results };
}
const merged = (...projects: readonly ReturnType<typeof project>[]) =>
  mergeResults(projects)
    .map(({ chunk: { content } }) => content)
    .join(', ');

it('begins with the project that has the most relevant result, and keeps the order of each', () => {
  expect(merged(project('a', '.9', '.2'), project('b', '.5', '.95', '.3'))).toBe(
    'b 0, b 1, a 0, b 2, a 1',
  );
});

it('is in the order of its relevances: a result is no less relevant than what its project ranks after it', () => {
  const results = mergeResults([project('a', '.9', '.2'), project('b', '.5', '.95', '.3')]);
  expect(results.map(({ relevance }) => relevance)).toEqual([0.95, 0.95, 0.9, 0.3, 0.2]);
});

it('lets projects without vectors take turns, after likely relevant results', () => {
  const unknown = mergeResults([project('a', '-', '-')]);
  for (const result of unknown) expect(result).not.toHaveProperty('relevance');
  expect(merged(project('a', '-', '-'), project('b', '-', '-'), project('c', '.6', '.4'))).toBe(
    'c 0, a 0, b 0, a 1, b 1, c 1',
  );
});

it('keeps the more relevant of equal texts', () => {
  const [low, high] = [project('a', '.3'), project('b', '.7')];
  const same = {
    ...low,
    results: low.results.map((one) => ({ ...one, chunk: high.results[0]?.chunk ?? one.chunk })),
  };
  expect(mergeResults([same, high]).map(({ projectPath }) => projectPath)).toEqual(['b']);
});
