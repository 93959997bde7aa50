import { beforeEach, expect, it } from 'vitest';
import { searchOnlyApi } from '../../../src/app/routes/search-only-api.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const projectPath = '/project';
let world: CoreInMemory;
beforeEach(() => {
  world = coreInMemory();
  world.ports.files.set('docs/a.md', '## Ibex\nAn ibex climbs.');
});

async function call(path: string, fields: object = {}): Promise<unknown> {
  const found = searchOnlyApi(world.useCases).find((one) => one.path === `/api/knowledge/${path}`);
  const reply = await found?.handle({ projectPath, ...fields });
  return reply?.body;
}

it('indexes a project when it is rebuilt, and never when it is searched', async () => {
  const query = { query: 'ibex' };
  expect(await call('search', query)).toEqual({ success: true, results: [] });
  expect(await call('rebuild')).toMatchObject({
    success: true,
    stats: { totalChunks: 1, sourceTypeBreakdown: { file: 1, url: 0 } },
  });
  expect(await call('search', query)).toMatchObject({
    success: true,
    results: [{ chunk: { id: 'docs/a.md#0' } }],
  });
});

it('counts every type of source that it knows, even without chunks', async () => {
  await call('rebuild');
  const stats = await call('stats');
  expect(stats).toMatchObject({ success: true, stats: { totalChunks: 1 } });
  expect(stats).toMatchObject({ stats: { sourceTypeBreakdown: { url: 0, file: 1 } } });
});
