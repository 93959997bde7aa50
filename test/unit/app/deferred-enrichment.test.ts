import { beforeEach, describe, expect, it } from 'vitest';
import { DeferredEnrichment } from '../../../src/app/enrichment/deferred-enrichment.js';
import type { EnrichmentWorld } from '../../support/enrichment-world.js';
import { enrichmentWorld, ingest, pass } from '../../support/enrichment-world.js';

let world: EnrichmentWorld;
let deferred: DeferredEnrichment;

beforeEach(async () => {
  world = await enrichmentWorld();
  deferred = new DeferredEnrichment(world.enrichment);
  await ingest(world, 'a.md', 'alpha');
});

describe('deferred enrichment', () => {
  it('begins when it is started, and from then on at once', async () => {
    deferred.wake(world.project);
    await pass(world.clock, 1000);
    expect(await complete()).toBe(0);
    deferred.start();
    await pass(world.clock, 1000);
    expect(await complete()).toBe(1);
    await ingest(world, 'b.md', 'beta');
    deferred.wake(world.project);
    await pass(world.clock, 1000);
    expect(await complete()).toBe(2);
    await deferred.stop();
  });

  it('leaves out a project that was released before it began', async () => {
    deferred.wake(world.project);
    await deferred.release(world.project.path);
    deferred.start();
    await pass(world.clock, 1000);
    expect(await complete()).toBe(0);
    await deferred.stop();
  });

  it('keeps what waits for other projects when one is released', async () => {
    deferred.wake(world.project);
    await deferred.release('/other');
    deferred.start();
    await pass(world.clock, 1000);
    expect(await complete()).toBe(1);
    await deferred.stop();
  });

  it('stops the work, and releases a project whose work has begun', async () => {
    deferred.start();
    world.embedder.hold();
    deferred.wake(world.project);
    await pass(world.clock, 1000);
    expect(deferred.progressOf(world.project.path)).toEqual({ chunksPerSecond: 0 });
    world.embedder.release();
    await deferred.release(world.project.path);
    expect(deferred.progressOf(world.project.path)).toBeUndefined();
    await deferred.stop();
    await ingest(world, 'b.md', 'beta');
    const before = await complete();
    deferred.wake(world.project);
    await pass(world.clock, 1000);
    expect(await complete()).toBe(before);
  });
});

async function complete(): Promise<number> {
  return (await world.project.store.vectors.status()).complete;
}
