import { expect } from 'vitest';
import { LONGEST_LEASE_MS } from '../../../src/domain/limits.js';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';

/** The contract of `Leases`. */
export function describeLeases(name: string, options: ContractOptions): void {
  contractSuite(`Leases: ${name}`, options, ({ it, subject }) => {
    const other = async ({ harness }: Subject) =>
      (await harness.otherProcess().open(harness.projectPath)).upkeep;

    it('refuses a lease that another process has, until it expires', async () => {
      const { harness, store } = subject();
      const leases = await other(subject());
      expect(await store.upkeep.acquire('embedding', 1000)).toBe(true);
      expect(await leases.acquire('embedding', 5000)).toBe(false);
      harness.clock.advance(999);
      expect(await leases.acquire('embedding', 5000)).toBe(false);
      harness.clock.advance(2);
      expect(await leases.acquire('embedding', 5000)).toBe(true);
      expect(await store.upkeep.acquire('embedding', 5000)).toBe(false);
    });

    it('reports a lease as held until it expires or is released', async () => {
      const { harness, store } = subject();
      const leases = await other(subject());
      const isHeld = () =>
        Promise.all([store.upkeep, leases].map((asked) => asked.isHeld('embedding')));
      expect(await isHeld()).toEqual([false, false]);
      await store.upkeep.acquire('embedding', 1000);
      expect(await isHeld()).toEqual([true, true]);
      expect(await leases.isHeld('questions')).toBe(false);
      harness.clock.advance(1001);
      expect(await isHeld()).toEqual([false, false]);
      await leases.acquire('embedding', 1000);
      await store.upkeep.release('embedding');
      expect(await isHeld()).toEqual([true, true]);
      await leases.release('embedding');
      expect(await isHeld()).toEqual([false, false]);
    });

    it('renews a lease for its holder', async () => {
      const { harness, store } = subject();
      const leases = await other(subject());
      await store.upkeep.acquire('embedding', 1000);
      harness.clock.advance(500);
      expect(await store.upkeep.acquire('embedding', 1000)).toBe(true);
      harness.clock.advance(800);
      expect(await leases.acquire('embedding', 1000)).toBe(false);
    });

    it('frees a lease when its holder releases it, but not when another process does', async () => {
      const { store } = subject();
      const leases = await other(subject());
      await store.upkeep.acquire('embedding', 1000);
      await leases.release('embedding');
      expect(await leases.acquire('embedding', 1000)).toBe(false);
      await store.upkeep.release('embedding');
      await store.upkeep.release('embedding');
      expect(await leases.acquire('embedding', 1000)).toBe(true);
    });

    it('keeps leases with different names separate', async () => {
      const leases = await other(subject());
      await subject().store.upkeep.acquire('embedding', 1000);
      expect(await leases.acquire('questions', 1000)).toBe(true);
    });

    it('takes a lease that ends later than any may for free, since the clock was set back', async () => {
      const { store } = subject();
      const leases = await other(subject());
      await leases.acquire('embedding', LONGEST_LEASE_MS);
      expect(await store.upkeep.isHeld('embedding')).toBe(true);
      expect(await store.upkeep.acquire('embedding', 1000)).toBe(false);
      await leases.acquire('embedding', LONGEST_LEASE_MS + 1000);
      expect(await store.upkeep.isHeld('embedding')).toBe(false);
      expect(await store.upkeep.acquire('embedding', 1000)).toBe(true);
    });
  });
}
