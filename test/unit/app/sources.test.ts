import { beforeEach, describe, expect, it } from 'vitest';
import { createCore } from '../../../src/app/wiring/create-core.js';
import { searchOnlyVariant } from '../../../src/app/wiring/variant-modules.js';
import { portsInMemory } from '../../support/ports-in-memory.js';

const PATH = '/project';

let world: ReturnType<typeof makeWorld>;

beforeEach(async () => {
  world = makeWorld();
  await world.core.store.reindex(PATH);
  world.files.reads.splice(0);
});

describe('a list of sources', () => {
  it('reads only files that have changed since they were read', async () => {
    expect((await list()).sources).toHaveLength(2);
    expect(world.files.reads).toEqual([]);
    world.files.set('docs/a.md', 'the ibex again');
    await list();
    await list();
    expect(world.files.reads).toEqual(['docs/a.md']);
  });

  it('says of a file that cannot be read any more why, each time', async () => {
    world.files.refuse('docs/b.md', 'it is not text');
    const skipped = [{ sourceFile: 'docs/b.md', reason: 'it is not text' }];
    expect(await list()).toMatchObject({ skipped });
    expect(await list()).toMatchObject({ skipped });
  });
});

it('a file that was read before is read again only if it has changed, or is indexed otherwise', async () => {
  await world.core.store.reindex(PATH);
  expect(world.files.reads).toEqual([]);
  world.files.set('docs/a.md', 'the ibex again');
  await world.core.store.reindex(PATH);
  expect(world.files.reads).toEqual(['docs/a.md']);
  expect((await world.core.store.search(PATH, 'again')).results).toHaveLength(1);
});

function makeWorld() {
  const ports = portsInMemory();
  ports.files.set('docs/a.md', 'the ibex');
  ports.files.set('docs/b.md', 'the okapi');
  return { ...ports, core: createCore(ports, searchOnlyVariant()) };
}

function list() {
  return world.core.sources.listSources(PATH);
}
