import type { Chunk } from '../../src/domain/chunks/chunk.js';
import type { Vector } from '../../src/domain/ranking/vector.js';
import type { IndexedSource } from '../../src/ports/driven/chunk-repository.js';

export interface StoredVector {
  readonly values: Vector;
  readonly model: string;
}

/** A chunk with everything that is stored for it. */
export interface Row {
  readonly chunk: Chunk;
  /** False for a row that something else wrote. */
  readonly owned: boolean;
  /** Place in the order of insertion. */
  readonly order: number;
  readonly retrievalCount: number;
  readonly lastRetrievedAt?: string | undefined;
  readonly vector?: StoredVector | undefined;
  readonly questions?: readonly string[] | undefined;
  readonly questionVector?: StoredVector | undefined;
}

export interface Lease {
  readonly holder: symbol;
  readonly until: Date;
}

/** What is stored for one project, shared by all who opened it. */
export class Tables {
  readonly #rows = new Map<string, Row>();
  readonly sources = new Map<string, IndexedSource>();
  readonly leases = new Map<string, Lease>();
  refillNeeded: boolean;
  #inserted = 0;
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor({ refillNeeded }: Pick<Tables, 'refillNeeded'>) {
    this.refillNeeded = refillNeeded;
  }

  /** In order of insertion. */
  get rows(): readonly Row[] {
    return [...this.#rows.values()].toSorted((a, b) => a.order - b.order);
  }

  row(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  insert(chunk: Chunk, rest: Partial<Row> = {}): void {
    this.#inserted += 1;
    this.put({ owned: true, retrievalCount: 0, ...rest, order: this.#inserted, chunk });
  }

  /** Stores a row under the id of its chunk. */
  put(row: Row): void {
    this.#rows.set(row.chunk.id, row);
  }

  delete(rows: readonly Row[]): void {
    for (const { chunk } of rows) this.#rows.delete(chunk.id);
  }

  /** Writers take turns. */
  write<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#lastWrite.then(work);
    this.#lastWrite = turn.catch(() => undefined);
    return turn;
  }

  async idle(): Promise<void> {
    await this.#lastWrite;
  }
}

/** Survives the stores that are opened on it, as a disk does; tests may break it. */
export class InMemoryDisk {
  readonly #projects = new Map<string, Tables>();
  readonly #damaged = new Set<string>();
  /** Projects whose store cannot be opened. */
  readonly blocked = new Set<string>();

  tables(projectPath: string): Tables {
    const refillNeeded = this.#damaged.delete(projectPath);
    const found = refillNeeded ? undefined : this.#projects.get(projectPath);
    const tables = found ?? new Tables({ refillNeeded });
    this.#projects.set(projectPath, tables);
    return tables;
  }

  /** The next opening finds nothing that it could read. */
  damage(projectPath: string): void {
    this.#damaged.add(projectPath);
  }
}
