import type { Chunk } from '../../domain/chunks/chunk.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { ProjectStores } from '../../ports/driven/project-stores.js';
import type { FixedClock } from './fixed-clock.js';

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
  /** Absent if no other process can access the data. */
  readonly outside?: OutsideWorld;
  /** Closes all stores and removes their data. */
  dispose(): Promise<void>;
}

/**
 * Changes to the stored data that do not go through the ports; unless stated otherwise, to the opened store of
 * `projectPath`.
 */
export interface OutsideWorld {
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

/** @throws Error if no other process can access the data of the harness; such a test belongs on the skip list. */
export function outsideOf({ outside }: StoreHarness): OutsideWorld {
  if (outside === undefined)
    throw new Error('No other process can access this data: add this test to the skip list.');
  return outside;
}
