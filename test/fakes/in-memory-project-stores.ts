import { KnowledgeError } from '../../src/domain/errors.js';
import type { Clock } from '../../src/ports/driven/clock.js';
import type {
  Leases,
  ProjectStore,
  ProjectStores,
  RefillMark,
} from '../../src/ports/driven/project-stores.js';
import { InMemoryChunkRepository } from './in-memory-chunk-repository.js';
import { InMemoryDisk, type Tables } from './in-memory-disk.js';
import {
  CONTENT_VECTORS,
  InMemoryVectorIndex,
  QUESTION_VECTORS,
} from './in-memory-vector-index.js';

export interface InMemoryStoresOptions {
  readonly clock: Clock;
  readonly model?: string;
  /** Where the data are; give two stores the same one to play two processes. */
  readonly disk?: InMemoryDisk;
}

/** {@link ProjectStores} that keep everything in memory. */
export class InMemoryProjectStores implements ProjectStores {
  readonly disk: InMemoryDisk;
  readonly #clock: Clock;
  readonly #model: string;
  readonly #opened = new Map<string, Promise<ProjectStore>>();
  readonly #tables = new Set<Tables>();

  constructor({ clock, model = 'test-model', disk = new InMemoryDisk() }: InMemoryStoresOptions) {
    this.disk = disk;
    this.#clock = clock;
    this.#model = model;
  }

  open(projectPath: string): Promise<ProjectStore> {
    const opened = this.#opened.get(projectPath);
    if (opened !== undefined) return opened;
    const opening = this.#open(projectPath);
    this.#opened.set(projectPath, opening);
    opening.catch(() => this.#opened.delete(projectPath));
    return opening;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#tables].map((tables) => tables.idle()));
    this.#opened.clear();
  }

  async #open(projectPath: string): Promise<ProjectStore> {
    if (this.disk.blocked.has(projectPath)) {
      throw new KnowledgeError('store_unavailable', 'The knowledge store cannot be opened.');
    }
    const tables = this.disk.tables(projectPath);
    this.#tables.add(tables);
    const [clock, model] = [this.#clock, this.#model];
    return {
      chunks: new InMemoryChunkRepository(tables, { projectPath, clock, model }),
      vectors: new InMemoryVectorIndex(tables, CONTENT_VECTORS, model),
      questionVectors: new InMemoryVectorIndex(tables, QUESTION_VECTORS, model),
      refill: refillMark(tables),
      leases: leases(tables, clock),
    };
  }
}

function refillMark(tables: Tables): RefillMark {
  return {
    isNeeded: async () => tables.refillNeeded,
    clear: async () => {
      tables.refillNeeded = false;
    },
  };
}

/** Each call makes another holder. */
function leases(tables: Tables, clock: Clock): Leases {
  const holder = Symbol('holder');
  const isMine = (name: string) => tables.leases.get(name)?.holder === holder;
  return {
    acquire: async (name, until) => {
      const held = tables.leases.get(name);
      if (held !== undefined && held.holder !== holder && clock.now() < held.until) return false;
      tables.leases.set(name, { holder, until });
      return true;
    },
    release: async (name) => {
      if (isMine(name)) tables.leases.delete(name);
    },
  };
}
