import { describe, expect, it } from 'vitest';
import { document, vector } from '../support/chunks.js';
import type { MakeHarness } from './project-stores-harness.js';
import { found, ingest, type Subject, useSubject } from './project-stores-subject.js';

/** What every ProjectStores does, besides what its repositories do. */
export function describeProjectStores(name: string, makeHarness: MakeHarness): void {
  describe(`ProjectStores: ${name}`, () => {
    const subject = useSubject(makeHarness);

    it('opens one store for a project, however often it is asked', async () => {
      const { harness, store } = subject();
      const { stores, otherProjectPath } = harness;
      const atOnce = [stores.open(otherProjectPath), stores.open(otherProjectPath)];
      const [first, second] = await Promise.all(atOnce);
      expect(first).toBe(second);
      expect(await stores.open(otherProjectPath)).toBe(first);
      expect(first).not.toBe(store);
    });

    it('keeps projects apart', async () => {
      const { harness } = subject();
      await ingest(subject(), document('a', ['copper']));
      const other = { harness, store: await harness.stores.open(harness.otherProjectPath) };
      expect(await found(other, 'copper')).toEqual([]);
      expect(await other.store.chunks.indexedSources()).toEqual([]);
    });

    it('shares what is stored with other processes', async () => {
      const { harness } = subject();
      const { projectPath } = harness;
      const other = { harness, store: await harness.otherProcess().open(projectPath) };
      await ingest(subject(), document('a', ['copper']));
      expect(await found(other, 'copper')).toEqual(['a#0']);
      expect(await ingest(other, document('a', ['copper']))).toBe('unchanged');
    });

    it('has everything again after a restart', async () => {
      const { harness } = subject();
      await ingest(subject(), document('a', ['copper']));
      await subject().store.vectors.put([{ chunkId: 'a#0', texts: ['copper'], vector: vector(1) }]);
      const before = await subject().store.chunks.getChunks(['a#0']);

      const again = { harness, store: await (await harness.restart()).open(harness.projectPath) };

      expect(await again.store.chunks.getChunks(['a#0'])).toEqual(before);
      expect(await again.store.vectors.status()).toEqual({ complete: 1, pending: 0 });
      expect(await ingest(again, document('a', ['copper']))).toBe('unchanged');
    });

    it('finishes the operation under way before it closes', async () => {
      const { harness, store } = subject();
      let finishReading = () => {};
      const reading = new Promise<void>((resolve) => {
        finishReading = resolve;
      });
      const writing = store.chunks.replaceSource('a', async () => {
        await reading;
        return document('a', ['copper']);
      });
      const restarting = harness.restart();
      finishReading();

      expect(await writing).toBe('indexed');
      const stores = await restarting;
      const again = { harness, store: await stores.open(harness.projectPath) };
      expect(await found(again, 'copper')).toEqual(['a#0']);
    });

    it('sets a damaged store aside and remembers that the new one lacks its sources', async () => {
      const { harness } = subject();
      expect(await subject().store.refill.isNeeded()).toBe(false);
      await ingest(subject(), document('a', ['copper']));

      const stores = await harness.restartDamaged();
      const again = { harness, store: await stores.open(harness.projectPath) };

      expect(await found(again, 'copper')).toEqual([]);
      expect(await again.store.chunks.indexedSources()).toEqual([]);
      expect(await again.store.refill.isNeeded()).toBe(true);
      const other = await harness.otherProcess().open(harness.projectPath);
      expect(await other.refill.isNeeded()).toBe(true);
      expect(await ingest(again, document('a', ['copper']))).toBe('indexed');
      await again.store.refill.clear();
      expect(await again.store.refill.isNeeded()).toBe(false);
      expect(await other.refill.isNeeded()).toBe(false);
    });
  });

  describe(`ProjectStores that cannot open: ${name}`, () => {
    it('says so and tries again at the next call', async () => {
      const harness = await makeHarness();
      try {
        const repair = await harness.block();
        const opening = harness.stores.open(harness.projectPath);
        await expect(opening).rejects.toMatchObject({ code: 'store_unavailable' });
        await repair();
        const store = await harness.stores.open(harness.projectPath);
        expect((await store.chunks.stats()).totalChunks).toBe(0);
      } finally {
        await harness.dispose();
      }
    });
  });

  describe(`Leases: ${name}`, () => {
    const subject = useSubject(makeHarness);
    const other = async ({ harness }: Subject) =>
      (await harness.otherProcess().open(harness.projectPath)).leases;

    it('refuses a lease that another process holds, until it expires', async () => {
      const { harness, store } = subject();
      const leases = await other(subject());
      expect(await store.leases.acquire('embedding', inMs(subject(), 1000))).toBe(true);
      expect(await leases.acquire('embedding', inMs(subject(), 5000))).toBe(false);
      harness.clock.advance(999);
      expect(await leases.acquire('embedding', inMs(subject(), 5000))).toBe(false);
      harness.clock.advance(2);
      expect(await leases.acquire('embedding', inMs(subject(), 5000))).toBe(true);
      expect(await store.leases.acquire('embedding', inMs(subject(), 5000))).toBe(false);
    });

    it('renews a lease for its holder', async () => {
      const { harness, store } = subject();
      const leases = await other(subject());
      await store.leases.acquire('embedding', inMs(subject(), 1000));
      harness.clock.advance(500);
      expect(await store.leases.acquire('embedding', inMs(subject(), 1000))).toBe(true);
      harness.clock.advance(800);
      expect(await leases.acquire('embedding', inMs(subject(), 1000))).toBe(false);
    });

    it('frees a lease that its holder releases, and none of another', async () => {
      const { store } = subject();
      const leases = await other(subject());
      await store.leases.acquire('embedding', inMs(subject(), 1000));
      await leases.release('embedding');
      expect(await leases.acquire('embedding', inMs(subject(), 1000))).toBe(false);
      await store.leases.release('embedding');
      await store.leases.release('embedding');
      expect(await leases.acquire('embedding', inMs(subject(), 1000))).toBe(true);
    });

    it('keeps leases of different names apart', async () => {
      const leases = await other(subject());
      await subject().store.leases.acquire('embedding', inMs(subject(), 1000));
      expect(await leases.acquire('questions', inMs(subject(), 1000))).toBe(true);
    });
  });
}

function inMs({ harness }: Subject, ms: number): Date {
  return new Date(harness.clock.now().getTime() + ms);
}
