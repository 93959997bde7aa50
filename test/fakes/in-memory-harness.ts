import type { StoreHarness } from '../contract/project-stores-harness.js';
import { FixedClock } from './fixed-clock.js';
import { InMemoryProjectStores } from './in-memory-project-stores.js';

/** The in-memory stores, for the contract suites of the store ports. */
export async function inMemoryHarness(): Promise<StoreHarness> {
  const clock = new FixedClock();
  const model = 'test-model';
  const projectPath = '/project';
  const stores = new InMemoryProjectStores({ clock, model });
  const { disk } = stores;
  const otherProcess = () => new InMemoryProjectStores({ clock, model, disk });
  return {
    stores,
    projectPath,
    otherProjectPath: '/other-project',
    clock,
    model,
    otherProcess,
    async restart() {
      await stores.close();
      return otherProcess();
    },
    async restartDamaged() {
      await stores.close();
      disk.damage(projectPath);
      return otherProcess();
    },
    async block() {
      disk.blocked.add(projectPath);
      return async () => {
        disk.blocked.delete(projectPath);
      };
    },
    async plantForeignChunk(chunk, metrics = {}) {
      disk.tables(projectPath).insert(chunk, { owned: false, ...metrics });
    },
    async plantVector(chunkId, values, vectorModel) {
      const row = disk.tables(projectPath).row(chunkId);
      if (row === undefined) throw new Error(`There is no chunk ${chunkId}.`);
      disk.tables(projectPath).put({ ...row, vector: { values, model: vectorModel } });
    },
    dispose: () => stores.close(),
  };
}
