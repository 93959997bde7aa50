import { expect, it } from 'vitest';
import { neighbouringWords } from '../../../src/domain/query/typos.js';
import { makeRetrievalWorld } from '../../support/retrieval-world.js';

async function scene() {
  const world = await makeRetrievalWorld();
  await world.fill(10);
  await world.add('camel.md', 'The function resolveProjectRoot walks upwards.');
  await world.add('snake.md', 'Call parse_config before anything else.');
  await world.add('number.md', 'It uses sha256sum for each file.');
  return async (query: string) => {
    const { results, explanation } = await world.hybridSearch.read({
      projectPath: '/project',
      query,
    });
    return { first: results[0]?.chunk.sourceFile, notes: explanation.notes };
  };
}

it.each([
  ['resolveProjctRoot', 'camel.md', 'resolveProjectRoot'],
  ['resolveProjectRoott', 'camel.md', 'resolveProjectRoot'],
  ['resolvePorjectRoot', 'camel.md', 'resolveProjectRoot'],
  ['where is resolveProjectRoat called', 'camel.md', 'resolveProjectRoot'],
  ['parse_confg', 'snake.md', 'config'],
  ['parse_comfig()', 'snake.md', 'config'],
  ['sha265Sum_x', 'number.md', 'sha256Sum'],
])('the mistyped %j finds %s, and the answer says so', async (query, file, found) => {
  const { first, notes } = await (await scene())(query);
  expect(first).toBe(file);
  expect(notes).toContainEqual({
    code: 'corrected',
    sentence: expect.stringContaining(`showing results for "${found}"`),
  });
});

it.each([
  'resolveProjectRoot',
  'parse_config',
  'resolveProjectRu',
  'confg',
  '"parse_confg" AND x',
  'v1.2.4',
])('nothing is looked for in place of %j', async (query) => {
  const { notes } = await (await scene())(query);
  expect(notes.map(({ code }) => code)).not.toContain('corrected');
});

it('a neighbour differs by one letter, or by two that are swapped', () => {
  const all = neighbouringWords('abcde');
  expect(all).toEqual(
    expect.arrayContaining(['bcde', 'abcd', 'abxde', 'abcdex', 'xabcde', 'bacde']),
  );
  expect(all).not.toContain('abcde');
  expect(all.every((word) => Math.abs(word.length - 5) <= 1)).toBe(true);
});
