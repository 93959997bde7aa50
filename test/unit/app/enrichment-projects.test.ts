import { describe, expect, it } from 'vitest';
import type { Project } from '../../../src/app/project.js';
import type { ProjectStores } from '../../../src/ports/project-stores.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import type { FixedClock } from '../../fakes/fixed-clock.js';
import { enrichmentWorld, ingest, settle } from '../../support/enrichment-world.js';
import { memoryStores } from '../../support/sqlite-stores.js';

describe('a project that is used', () => {
  it('does not load the model while there is nothing to embed', async () => {
    const embedder = new FakeEmbedder();
    const world = await enrichmentWorld({ embedder });
    world.work.schedule();
    await settle();
    expect(embedder.status().state).toBe('idle');

    await ingest(world, 'a.md', 'alpha');
    world.work.schedule();
    await settle();
    expect(embedder.status().state).toBe('ready');
  });

  it('has the model loaded for its queries, though all its chunks have vectors', async () => {
    const world = await enrichmentWorld();
    await ingest(world, 'a.md', 'alpha');
    world.work.schedule();
    await settle();
    await world.work.stop();
    const embedder = new FakeEmbedder();
    const next = await enrichmentWorld({ embedder, data: world.data });
    next.work.schedule();
    await settle();
    expect(embedder.status().state).toBe('ready');
    expect(embedder.embedded).toEqual([]);
  });

  it('does not wait for another whose work another process does', async () => {
    const world = await enrichmentWorld();
    const { clock, data, enrichment, work } = world;
    await ingest(world, 'a.md', 'alpha');
    const { store } = await projectIn(memoryStores({ clock, databases: data }));
    await store.upkeep.acquire('vectors', 60_000);
    const other = await otherProject(clock);
    work.schedule();
    enrichment.workOn(other).schedule();
    await settle();
    expect(world.embedder.embedded).toContain('other');
    expect(world.embedder.embedded).not.toContain('alpha');
  });

  it('and then released is not worked on, and leaves the work to others', async () => {
    const { work, embedder, ...world } = await enrichmentWorld();
    await ingest(world, 'a.md', 'alpha');
    work.schedule();
    await work.stop();
    await ingest(world, 'b.md', 'beta');
    work.schedule();
    await settle();
    expect(embedder.embedded).not.toContain('beta');
    const other = await memoryStores({ clock: world.clock, databases: world.data }).open(
      '/project',
    );
    expect(await other.upkeep.acquire('vectors', 60_000)).toBe(true);
  });
});

async function projectIn(stores: ProjectStores): Promise<Project> {
  return { path: '/project', store: await stores.open('/project') };
}

/** Another project, whose one chunk has no vector. */
async function otherProject(clock: FixedClock): Promise<Project> {
  const store = await memoryStores({ clock }).open('/other');
  const project = { path: '/other', store };
  await ingest({ project, clock }, 'other.md', 'other');
  return project;
}
