import { expect } from 'vitest';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';

/** What every implementation of Leases does. */
export function describeLeases(name: string, options: ContractOptions): void {
  contractSuite(`Leases: ${name}`, options, ({ it, subject }) => {
    const other = async ({ harness }: Subject) =>
      (await harness.otherProcess().open(harness.projectPath)).leases;

    it('refuses a lease that another process has, until it expires', async () => {
      const { harness, store } = subject();
      const leases = await other(subject());
      expect(await store.leases.acquire('embedding', 1000)).toBe(true);
      expect(await leases.acquire('embedding', 5000)).toBe(false);
      harness.clock.advance(999);
      expect(await leases.acquire('embedding', 5000)).toBe(false);
      harness.clock.advance(2);
      expect(await leases.acquire('embedding', 5000)).toBe(true);
      expect(await store.leases.acquire('embedding', 5000)).toBe(false);
    });

    it('says of a lease that somebody has it, until it expires or is released', async () => {
      const { harness, store } = subject();
      const leases = await other(subject());
      const isHeld = () =>
        Promise.all([store.leases, leases].map((asked) => asked.isHeld('embedding', 1000)));
      expect(await isHeld()).toEqual([false, false]);
      await store.leases.acquire('embedding', 1000);
      expect(await isHeld()).toEqual([true, true]);
      expect(await leases.isHeld('questions', 1000)).toBe(false);
      harness.clock.advance(1001);
      expect(await isHeld()).toEqual([false, false]);
      await leases.acquire('embedding', 1000);
      await store.leases.release('embedding');
      expect(await isHeld()).toEqual([true, true]);
      await leases.release('embedding');
      expect(await isHeld()).toEqual([false, false]);
    });

    it('renews a lease for its holder', async () => {
      const { harness, store } = subject();
      const leases = await other(subject());
      await store.leases.acquire('embedding', 1000);
      harness.clock.advance(500);
      expect(await store.leases.acquire('embedding', 1000)).toBe(true);
      harness.clock.advance(800);
      expect(await leases.acquire('embedding', 1000)).toBe(false);
    });

    it('frees a lease when its holder releases it, but not when another process does', async () => {
      const { store } = subject();
      const leases = await other(subject());
      await store.leases.acquire('embedding', 1000);
      await leases.release('embedding');
      expect(await leases.acquire('embedding', 1000)).toBe(false);
      await store.leases.release('embedding');
      await store.leases.release('embedding');
      expect(await leases.acquire('embedding', 1000)).toBe(true);
    });

    it('keeps leases with different names separate', async () => {
      const leases = await other(subject());
      await subject().store.leases.acquire('embedding', 1000);
      expect(await leases.acquire('questions', 1000)).toBe(true);
    });

    it('ignores a lease that lasts longer than any valid one', async () => {
      const leases = await other(subject());
      await leases.acquire('embedding', 60_000);
      expect(await subject().store.leases.acquire('embedding', 1000)).toBe(true);
    });
  });
}
