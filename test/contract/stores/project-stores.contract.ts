import { expect } from 'vitest';
import { document, vector } from '../../support/chunks.js';
import { type ContractOptions, contractSuite } from '../harness/contract-suite.js';
import { found, ingest } from '../harness/steps.js';
import { outsideOf } from '../harness/store-harness.js';

/** The contract of `ProjectStores`, without that of its stores. */
export function describeProjectStores(name: string, options: ContractOptions): void {
  contractSuite(`ProjectStores: ${name}`, options, ({ it, subject }) => {
    it('opens the store of a project only once', async () => {
      const { harness, store } = subject();
      const { stores, otherProjectPath } = harness;
      const atOnce = [stores.open(otherProjectPath), stores.open(otherProjectPath)];
      const [first, second] = await Promise.all(atOnce);
      expect(first).toBe(second);
      expect(await stores.open(otherProjectPath)).toBe(first);
      expect(first).not.toBe(store);
    });

    it('keeps projects separate', async () => {
      const { harness } = subject();
      await ingest(subject(), document('a', ['copper']));
      const other = { harness, store: await harness.stores.open(harness.otherProjectPath) };
      expect(await found(other, 'copper')).toEqual([]);
      expect(await other.store.chunks.indexedSources()).toEqual([]);
    });

    it('shares its data with other processes', async () => {
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
      await subject().store.vectors.put('content', [
        { id: 'a#0', texts: ['copper'], vector: vector(1) },
      ]);
      const before = await subject().store.chunks.getChunks(['a#0']);

      const stores = await harness.restart();
      expect(await stores.find(harness.otherProjectPath)).toBeUndefined();
      const store = await stores.find(harness.projectPath);
      const again = { harness, store: await stores.open(harness.projectPath) };

      expect(again.store).toBe(store);
      expect(await again.store.chunks.getChunks(['a#0'])).toEqual(before);
      expect(await again.store.vectors.status('content')).toEqual({ complete: 1, pending: 0 });
      expect(await ingest(again, document('a', ['copper']))).toBe('unchanged');
    });

    it('remembers that a store lost its contents until it is filled again', async () => {
      const { harness } = subject();
      expect(subject().store.needsReindexing).toBe(false);
      await ingest(subject(), document('a', ['copper']));

      const stores = await outsideOf(harness).restartDamaged();
      const again = { harness, store: await stores.open(harness.projectPath) };

      expect(await found(again, 'copper')).toEqual([]);
      expect(await again.store.chunks.indexedSources()).toEqual([]);
      expect(again.store.needsReindexing).toBe(true);
      const openedElsewhere = () => harness.otherProcess().open(harness.projectPath);
      expect((await openedElsewhere()).needsReindexing).toBe(true);
      expect(await ingest(again, document('a', ['copper']))).toBe('indexed');
      await again.store.upkeep.maintain('rebuild');
      expect((await openedElsewhere()).needsReindexing).toBe(false);
    });

    it('finds a store that was opened before, and creates nothing', async () => {
      const { harness, store } = subject();
      const { stores, projectPath, otherProjectPath } = harness;
      expect(await stores.find(projectPath)).toBe(store);
      expect(await stores.find(otherProjectPath)).toBeUndefined();
      expect(await stores.find(otherProjectPath)).toBeUndefined();
      const opened = await stores.open(otherProjectPath);
      expect(await stores.find(otherProjectPath)).toBe(opened);
    });

    it('says where each store is', async () => {
      const { harness, store } = subject();
      const { stores, projectPath, otherProjectPath } = harness;
      expect(store.location).toContain(projectPath);
      expect((await stores.open(otherProjectPath)).location).toContain(otherProjectPath);
    });

    it('closes once, and is unavailable from then on', async () => {
      const { stores, projectPath, otherProjectPath } = subject().harness;
      await stores.close();
      await stores.close();
      const unavailable = { code: 'store_unavailable' };
      await expect(stores.open(projectPath)).rejects.toMatchObject(unavailable);
      await expect(stores.find(projectPath)).rejects.toMatchObject(unavailable);
      await expect(stores.find(otherProjectPath)).rejects.toMatchObject(unavailable);
    });

    it('says that it cannot open a store, and tries again at the next call', async () => {
      const harness = await options.makeHarness();
      try {
        const repair = await outsideOf(harness).block();
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
}
