import { describe, expect, it } from 'vitest';
import type { Leases } from '../../../src/ports/driven/leases.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import {
  closedGate,
  failing,
  ingest,
  loopScene,
  pass,
  settle,
  worldWith,
} from '../../support/enrichment-world.js';

describe('a lease', () => {
  it('of another holder keeps the loop from working until it is given back', async () => {
    const { loop, clock, startedAt, others } = await loopScene(async () => 'idle');
    await others.acquire('vectors', 60_000);
    loop.wake();
    await pass(clock, 50_000);
    expect(startedAt).toEqual([]);
    await others.release('vectors');
    await pass(clock, 5000);
    expect(startedAt).toHaveLength(1);
  });

  it('of another holder is reported once for as long as it is held', async () => {
    const { loop, clock, logger, others } = await loopScene(async () => 'idle');
    const reports = () => logger.messages('info').length;
    await others.acquire('vectors', 60_000);
    loop.wake();
    await pass(clock, 50_000);
    expect(logger.entries).toEqual([
      {
        level: 'info',
        message: 'Background work waits while another process does it.',
        fields: { work: 'vectors' },
      },
    ]);
    await others.release('vectors');
    await pass(clock, 5000);
    expect(reports()).toBe(1);
    await others.acquire('vectors', 60_000);
    loop.wake();
    await pass(clock, 10_000);
    expect(reports()).toBe(2);
    await loop.stop();
  });

  it('of another holder does not hold up a stop', async () => {
    const { loop, clock, startedAt, others } = await loopScene(async () => 'idle');
    await others.acquire('vectors', 60_000);
    loop.wake();
    await settle();
    await loop.stop();
    expect(startedAt).toEqual([]);
    expect(clock.sleepers).toBe(0);
  });

  it('is renewed while a step takes longer, and given back after it', async () => {
    const gate = closedGate();
    const { loop, clock, others } = await loopScene(async () => {
      await gate.passed;
      return 'idle';
    });
    loop.wake();
    await settle();
    await pass(clock, 200_000);
    expect(await others.acquire('vectors', 60_000)).toBe(false);
    gate.open();
    await settle();
    expect(await others.acquire('vectors', 60_000)).toBe(true);
  });

  it('is given back by a stop', async () => {
    const { loop, others } = await loopScene(failing(new Error('broken')));
    loop.wake();
    await settle();
    await loop.stop();
    expect(await others.acquire('vectors', 60_000)).toBe(true);
  });

  it('is not asked for where there is no model, because that writes', async () => {
    const embedder = FakeEmbedder.ready();
    const generator = { isAvailable: () => false, generateQuestions: async () => [] };
    const { project, enrichment, ...world } = await worldWith({ embedder, generator });
    const asked: string[] = [];
    const leases: Leases = {
      acquire: async (name) => asked.push(`${name} acquired`) > 0,
      release: async (name) => void asked.push(`${name} released`),
    };
    const watched = { ...project, store: { ...project.store, leases } };
    await ingest({ ...world, project }, 'a.md', 'apple');
    enrichment.wake(watched);
    await settle();
    expect(asked).toEqual(['vectors acquired', 'vectors acquired', 'vectors released']);
    embedder.fail('absent');
    enrichment.wake(watched);
    await settle();
    expect(asked).toHaveLength(3);
  });
});
