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
  readonly clock: FixedClock;
  readonly model: string;
  /** Other stores on the same data, like those of a second process. */
  otherProcess(): ProjectStores;
  /** Closes `stores`, and returns new ones on the same data. */
  restart(): Promise<ProjectStores>;
  /** Absent if no other process can access the data; tests that need it are then skipped. */
  readonly outside?: OutsideWorld;
  /** Closes all stores and removes their data. */
  dispose(): Promise<void>;
}

/**
 * Changes to the stored data that bypass the ports. Unless stated otherwise, they affect the opened store of
 * `projectPath`.
 */
interface OutsideWorld {
  /** Closes `stores`, makes their data unreadable, and returns new ones. */
  restartDamaged(): Promise<ProjectStores>;
  /**
   * Makes it impossible to open the store of `projectPath`, which must not be open yet. The returned function ends
   * that.
   */
  block(): Promise<() => Promise<void>>;
  /** Writes a chunk as another program would. */
  plantForeignChunk(chunk: Chunk, metrics?: PlantedMetrics): Promise<void>;
  /** Writes a content vector of any size and values, as another program might. */
  plantVector(chunkId: string, vector: Vector, model: string): Promise<void>;
}

/** Use of a chunk, as another program may have recorded it. */
export interface PlantedMetrics {
  readonly retrievalCount?: number;
  /** ISO 8601. */
  readonly lastRetrievedAt?: string;
}

export type MakeHarness = () => Promise<StoreHarness>;

/** @throws NoOutsideWorld, which skips the test */
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
