import type { Chunk } from '../../../src/domain/chunks/chunk.js';
import type { Vector } from '../../../src/domain/ranking/vector.js';
import type { ProjectStores } from '../../../src/ports/project-stores.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { memoryStores, SharedDatabases } from '../../support/sqlite-stores.js';

/** An implementation of the store ports with its own data and two projects. */
export interface StoreHarness {
  readonly stores: ProjectStores;
  readonly projectPath: string;
  readonly otherProjectPath: string;
  /** The clock of the stores. */
  readonly clock: FixedClock;
  /** The model of the stores. */
  readonly model: string;
  /** Other stores on the same data, as a second process has them. */
  otherProcess(): ProjectStores;
  /** Closes `stores`, and returns new ones on the same data. */
  restart(): Promise<ProjectStores>;
  /** Absent if no other process can access the data; tests that need it are then skipped. */
  readonly outside?: OutsideWorld;
  /** Closes all stores and removes their data. */
  dispose(): Promise<void>;
}

/**
 * Changes to the stored data that do not go through the ports; unless stated otherwise, to the opened store of
 * `projectPath`.
 */
interface OutsideWorld {
  /** Closes `stores`, makes what they stored unreadable, and returns new ones. */
  restartDamaged(): Promise<ProjectStores>;
  /** Makes the store of `projectPath`, not opened yet, impossible to open until the result is called. */
  block(): Promise<() => Promise<void>>;
  /** Writes a chunk as another program does. */
  plantForeignChunk(chunk: Chunk, metrics?: PlantedMetrics): Promise<void>;
  /** Writes the content vector of a chunk as another program does, of any size and values. */
  plantVector(chunkId: string, vector: Vector, model: string): Promise<void>;
}

/** What another program may have written about the use of a chunk. */
export interface PlantedMetrics {
  readonly retrievalCount?: number;
  /** ISO 8601. */
  readonly lastRetrievedAt?: string;
}

export type MakeHarness = () => Promise<StoreHarness>;

/** @throws NoOutsideWorld which skips the test */
export function outsideOf({ outside }: StoreHarness): OutsideWorld {
  if (outside === undefined) throw new NoOutsideWorld('No other program can access this data.');
  return outside;
}

export class NoOutsideWorld extends Error {}

/** SQLite in memory, for the contract suites of the store ports. */
export async function inMemoryHarness(): Promise<StoreHarness> {
  const clock = new FixedClock();
  const databases = new SharedDatabases();
  const otherProcess = () => memoryStores({ clock, databases });
  const stores = otherProcess();
  return {
    stores,
    projectPath: '/project',
    otherProjectPath: '/other-project',
    clock,
    model: 'test-model',
    otherProcess,
    async restart() {
      await stores.close();
      return otherProcess();
    },
    dispose: () => stores.close(),
  };
}
