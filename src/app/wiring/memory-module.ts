import { ContainerModule } from 'inversify';
import { InMemoryProjectStores } from '../../adapters/memory/in-memory-project-stores.js';
import { CHECK_STORE, PORTS } from './tokens.js';

/** Keeps every store in the memory of the process; no file is written. */
export const memoryModule = new ContainerModule(({ bind }) => {
  bind(PORTS.stores).toResolvedValue(
    ({ model, dimensions }, clock) => new InMemoryProjectStores({ model, dimensions, clock }),
    [PORTS.embedder, PORTS.clock],
  );
  bind(CHECK_STORE).toConstantValue(async () => {});
});
