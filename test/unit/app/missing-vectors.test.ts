import { beforeEach, describe, expect, it } from 'vitest';
import { MissingVectors } from '../../../src/app/enrichment/missing-vectors.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { enrichmentWorld, ingest, pass, settle } from '../../support/enrichment-world.js';
import { memoryStores } from '../../support/sqlite-stores.js';

let world: Awaited<ReturnType<typeof makeWorld>>;

beforeEach(async () => {
  world = await makeWorld();
});

describe('a process that makes the vectors that a project lacks', () => {
  it('ends when none is missing', async () => {
    const ended = complete();
    await pass(world.clock, 3_000);
    expect(await ended).toBe('complete');
    expect(world.embedder.embedded).toContain('alpha');
  });

  it('gives up when two minutes have brought none, unless the model is still loading', async () => {
    world = await makeWorld(new FakeEmbedder());
    world.embedder.hold();
    const ended = complete();
    await pass(world.clock, 300_000, 5_000);
    expect(await soFar(ended)).toBe('pending');
    world.embedder.fail();
    world.embedder.release();
    await pass(world.clock, 115_000, 5_000);
    expect(await soFar(ended)).toBe('pending');
    await pass(world.clock, 10_000, 1_000);
    expect(await ended).toBe('stalled');
  });

  it('ends at once when it is stopped', async () => {
    world.embedder.fail();
    const stopping = new AbortController();
    const ended = complete(stopping.signal);
    await pass(world.clock, 3_000);
    stopping.abort();
    await settle();
    expect(await soFar(ended)).toBe('stopped');
  });

  it('waits for another, but only one does', async () => {
    await world.others.acquire('vectors', 60_000);
    const next = complete();
    await settle();
    expect(await world.second.complete('/project', new AbortController().signal)).toBe('elsewhere');
    await pass(world.clock, 30_000, 1_000);
    expect([await soFar(next), world.embedder.embedded]).toEqual(['pending', []]);
    await world.others.acquire('vectors', 0);
    await pass(world.clock, 5_000);
    expect(await next).toBe('complete');
  });
});

it.each([
  ['does not watch the project', [], false, false],
  ['has begun', ['watch', 'vectors'], true, true],
  ['has not begun in three seconds', ['watch'], 'pending', false],
])('it is left to a service, unless that %s', async (_, leases, before, after) => {
  for (const name of leases) await world.others.acquire(name, 60_000);
  const asked = world.missing.areTakenOver('/project');
  await settle();
  await pass(world.clock, 2_900, 100);
  expect(await soFar(asked)).toBe(before);
  await pass(world.clock, 100, 100);
  expect(await soFar(asked)).toBe(after);
});

async function makeWorld(embedder = FakeEmbedder.ready()) {
  const made = await enrichmentWorld({ embedder });
  const { clock, data, enrichment, project } = made;
  await ingest(made, 'a.md', 'alpha');
  const other = await memoryStores({ clock, databases: data }).open('/project');
  const missingIn = ({ store }: Pick<typeof project, 'store'>) =>
    new MissingVectors({
      ...{ enrichment, embedder, clock },
      projects: { open: async () => ({ ...project, store }) },
    });
  return {
    ...made,
    others: other.upkeep,
    missing: missingIn(project),
    second: missingIn({ store: other }),
  };
}

const complete = (signal = new AbortController().signal) =>
  world.missing.complete('/project', signal);

const soFar = <T>(promise: Promise<T>) => Promise.race([promise, Promise.resolve('pending')]);
