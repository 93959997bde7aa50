import { InMemoryData } from '../../src/adapters/memory/in-memory-data.js';
import {
  InMemoryProjectStores,
  type InMemoryStoresOptions,
} from '../../src/adapters/memory/in-memory-project-stores.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';

/** The memory backend, for vectors as tests make them. */
export function memoryStores(options: Partial<InMemoryStoresOptions> = {}): InMemoryProjectStores {
  return new InMemoryProjectStores({
    model: 'test-model',
    dimensions: EMBEDDING_DIMENSIONS,
    data: new InMemoryData(),
    ...options,
  });
}
