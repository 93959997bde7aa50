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
    world.enrichment.schedule(world.project);
    await settle();
    expect(embedder.status().state).toBe('idle');

    await ingest(world, 'a.md', 'alpha');
    world.enrichment.schedule(world.project);
    await settle();
    expect(embedder.status().state).toBe('ready');
  });

  it('has the model loaded for its queries, though all its chunks have vectors', async () => {
    const world = await enrichmentWorld();
    await ingest(world, 'a.md', 'alpha');
    world.enrichment.schedule(world.project);
    await settle();
    await world.enrichment.stop();
    const embedder = new FakeEmbedder();
    const next = await enrichmentWorld({ embedder, data: world.data });
    next.enrichment.schedule(next.project);
    await settle();
    expect(embedder.status().state).toBe('ready');
    expect(embedder.embedded).toEqual([]);
  });

  it('does not wait for another whose work another process does', async () => {
    const world = await enrichmentWorld();
    const { clock, data, enrichment, project } = world;
    await ingest(world, 'a.md', 'alpha');
    const { store } = await projectIn(memoryStores({ clock, databases: data }));
    await store.upkeep.acquire('vectors', 60_000);
    const other = await otherProject(clock);
    enrichment.schedule(project);
    enrichment.schedule(other);
    await settle();
    expect(world.embedder.embedded).toContain('other');
    expect(world.embedder.embedded).not.toContain('alpha');
  });

  it('whose store is closed and opened again is worked on in the new store', async () => {
    const world = await enrichmentWorld();
    const { clock, enrichment } = world;
    enrichment.schedule(world.project);
    await settle();
    const project = await projectIn(memoryStores({ clock }));
    await ingest({ project, clock }, 'b.md', 'beta');
    enrichment.schedule(project);
    await settle();
    expect(await project.store.vectors.status('content')).toEqual({ complete: 1, pending: 0 });
  });

  it('and then released is forgotten until it is woken again', async () => {
    const world = await enrichmentWorld();
    const { enrichment, project, embedder } = world;
    await ingest(world, 'a.md', 'alpha');
    enrichment.schedule(project);
    await enrichment.release(project.path);
    await ingest(world, 'b.md', 'beta');
    await settle();
    expect(embedder.embedded).not.toContain('beta');
    const other = await memoryStores({ clock: world.clock, databases: world.data }).open(
      '/project',
    );
    expect(await other.upkeep.acquire('vectors', 60_000)).toBe(true);
    await other.upkeep.acquire('vectors', 0);
    enrichment.schedule(project);
    await settle();
    expect(embedder.embedded).toContain('beta');
  });

  it('for the first time after the stop is not worked on', async () => {
    const { clock, embedder, enrichment } = await enrichmentWorld();
    await enrichment.stop();
    enrichment.schedule(await otherProject(clock));
    await settle();
    expect(embedder.embedded).toEqual([]);
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
