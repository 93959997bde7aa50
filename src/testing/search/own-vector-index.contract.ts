import { type MakeVectorIndex, withVectorIndexes } from '../../app/projects/with-vector-indexes.js';
import type { Deviation } from '../harness/contract-suite.js';
import { inMemoryHarness } from '../harness/in-memory-harness.js';
import type { StoreHarness } from '../harness/project-stores-harness.js';
import { describeVectorIndex } from './vector-index.contract.js';

/**
 * Holds a vector index to the contract of `VectorIndex` without a store of one's own: everything but the
 * vectors is kept in memory. `makeIndex` is called anew for every test.
 */
export function describeOwnVectorIndex(
  name: string,
  makeIndex: MakeVectorIndex,
  skip: readonly Deviation[] = [],
): void {
  describeVectorIndex(name, {
    makeHarness: () => harnessWith(makeIndex),
    skip: [NO_OTHER_PROGRAM, ...skip],
  });
}

const NO_OTHER_PROGRAM: Deviation = {
  reason: 'The chunks are in memory, where no other program can write.',
  tests: [
    'keeps what another program imports between `pending` and `put`',
    'uses a vector of its model that another program wrote',
    'does not see a planted vector %s',
    'notices a vector that changed while another program wrote one',
  ],
};

async function harnessWith(makeIndex: MakeVectorIndex): Promise<StoreHarness> {
  const harness = await inMemoryHarness();
  return {
    ...harness,
    stores: withVectorIndexes(harness.stores, makeIndex),
    otherProcess: () => withVectorIndexes(harness.otherProcess(), makeIndex),
    restart: async () => withVectorIndexes(await harness.restart(), makeIndex),
  };
}
