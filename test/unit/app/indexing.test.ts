import { beforeEach, describe, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const REQUEST = { projectPath: '/project' };
let world: CoreInMemory;
beforeEach(() => {
  world = coreInMemory();
  world.ports.files.set('docs/a.md', '## Ibex\nAn ibex climbs.');
});

describe('the check whether a store can be written', () => {
  it('succeeds, again and again, and leaves nothing locked', async () => {
    const { indexing } = world.useCases;
    await indexing.checkWritable(REQUEST);
    await indexing.checkWritable(REQUEST);
    const { store } = await world.core.projects.open(REQUEST.projectPath);
    expect(await store.upkeep.acquire('check', 1000)).toBe(true);
  });
});

describe('the first indexing', () => {
  it('is not begun by a service that does not index by itself', async () => {
    expect(await world.useCases.indexing.begin(REQUEST)).toBeUndefined();
    expect((await world.useCases.status.stats(REQUEST)).totalChunks).toBe(0);
  });
});
