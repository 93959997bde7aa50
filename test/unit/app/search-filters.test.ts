import { expect, it } from 'vitest';
import { makeRetrievalWorld } from '../../support/retrieval-world.js';

const FILES = ['app/[slug]/page.md', 'app/(shop)/page.md', 'cafe\u0301/page.md'];

it.each([
  ['app/[slug]', 'app/[slug]/page.md'],
  ['./app/[slug]/page.md', 'app/[slug]/page.md'],
  ['app/(shop)/', 'app/(shop)/page.md'],
  ['caf\u00e9', 'cafe\u0301/page.md'],
  ['cafe\u0301/*.md', 'cafe\u0301/page.md'],
  ['caf\u00e9/*.md', 'cafe\u0301/page.md'],
])('the path %s chooses %s', async (path, file) => {
  const world = await makeRetrievalWorld();
  for (const name of FILES) await world.add(name, 'wombat');
  const request = { projectPath: '/project', query: 'wombat', all: true, paths: [path] };
  const { results } = await world.hybridSearch.read(request);
  expect(results.map(({ chunk }) => chunk.sourceFile)).toEqual([file]);
});
