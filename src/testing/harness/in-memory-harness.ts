import { InMemoryData } from '../../adapters/memory/in-memory-data.js';
import { InMemoryProjectStores } from '../../adapters/memory/in-memory-project-stores.js';
import { EMBEDDING_DIMENSIONS } from '../../domain/limits.js';
import { FixedClock } from './fixed-clock.js';
import type { StoreHarness } from './project-stores-harness.js';

/** The memory backend, for the contract suites of the store ports. */
export async function inMemoryHarness(): Promise<StoreHarness> {
  const clock = new FixedClock();
  const model = 'test-model';
  const data = new InMemoryData();
  const dimensions = EMBEDDING_DIMENSIONS;
  const otherProcess = () => new InMemoryProjectStores({ model, dimensions, clock, data });
  const stores = otherProcess();
  return {
    stores,
    projectPath: '/project',
    otherProjectPath: '/other-project',
    clock,
    model,
    otherProcess,
    async restart() {
      await stores.close();
      return otherProcess();
    },
    dispose: () => stores.close(),
  };
}
