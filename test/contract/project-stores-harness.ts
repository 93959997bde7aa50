import type { Chunk } from '../../src/domain/chunks/chunk.js';
import type { Vector } from '../../src/domain/ranking/vector.js';
import type { ProjectStores } from '../../src/ports/driven/project-stores.js';
import type { FixedClock } from '../fakes/fixed-clock.js';

/** What another program may have written about the use of a chunk. */
export interface PlantedMetrics {
  readonly retrievalCount?: number;
  /** ISO 8601. */
  readonly lastRetrievedAt?: string;
}

/**
 * An implementation of the store ports on data of its own, with two projects, and what happens to
 * such data from outside. Everything is planted into `projectPath`, whose store was opened before.
 */
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
  /** Closes `stores`, and answers new ones on the same data. */
  restart(): Promise<ProjectStores>;
  /** Closes `stores`, makes what they stored unreadable, and answers new ones. */
  restartDamaged(): Promise<ProjectStores>;
  /** Makes the store of `projectPath`, not opened yet, impossible to open, until the answer is called. */
  block(): Promise<() => Promise<void>>;
  /** Writes a chunk as another program does. */
  plantForeignChunk(chunk: Chunk, metrics?: PlantedMetrics): Promise<void>;
  /** Writes the content vector of a chunk as another program does, whatever it is. */
  plantVector(chunkId: string, vector: Vector, model: string): Promise<void>;
  /** Closes all stores and removes their data. */
  dispose(): Promise<void>;
}

export type MakeHarness = () => Promise<StoreHarness>;
