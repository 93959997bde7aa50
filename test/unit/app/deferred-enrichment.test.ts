import { beforeEach, describe, expect, it } from 'vitest';
import { type DeferredEnrichment, deferred } from '../../../src/app/enrichment/enrichment.js';
import {
  type EnrichmentWorld,
  enrichmentWorld,
  ingest,
  pass,
} from '../../support/enrichment-world.js';

let world: EnrichmentWorld;
let held: DeferredEnrichment;

beforeEach(async () => {
  world = await enrichmentWorld();
  held = deferred(world.enrichment);
  await ingest(world, 'a.md', 'alpha');
});

describe('deferred enrichment', () => {
  it('begins when it is started, and from then on at once', async () => {
    held.wake(world.project);
    await pass(world.clock, 1000);
    expect(await complete()).toBe(0);
    held.start();
    await pass(world.clock, 1000);
    expect(await complete()).toBe(1);
    await ingest(world, 'b.md', 'beta');
    held.wake(world.project);
    await pass(world.clock, 1000);
    expect(await complete()).toBe(2);
    await held.stop();
  });

  it('leaves out a project that was released before it began', async () => {
    held.wake(world.project);
    await held.release(world.project.path);
    held.start();
    await pass(world.clock, 1000);
    expect(await complete()).toBe(0);
    await held.stop();
  });

  it('stops the work, and releases a project whose work has begun', async () => {
    held.start();
    world.embedder.hold();
    held.wake(world.project);
    await pass(world.clock, 1000);
    expect(held.progressOf(world.project.path)).toEqual({ chunksPerSecond: 0 });
    world.embedder.release();
    await held.release(world.project.path);
    expect(held.progressOf(world.project.path)).toBeUndefined();
    await held.stop();
    await ingest(world, 'b.md', 'beta');
    const before = await complete();
    held.wake(world.project);
    await pass(world.clock, 1000);
    expect(await complete()).toBe(before);
  });
});

async function complete(): Promise<number> {
  return (await world.project.store.vectors.status()).complete;
}
