import type { Chunk } from '../../domain/chunks/chunk.js';
import { PromiseQueue } from '../../domain/promise-queue.js';
import type { ChunkFilter } from '../../ports/driven/chunk-filter.js';
import type { IndexedSource } from '../../ports/driven/chunk-repository.js';
import type { StoredCitations } from '../../ports/driven/citation-store.js';

/** A chunk with everything that is stored for it, except its vectors. */
export interface Row {
  readonly chunk: Chunk;
  /** Position in the order of insertion. */
  readonly order: number;
  readonly retrievalCount: number;
  /** ISO 8601. */
  readonly lastRetrievedAt?: string;
  readonly questions?: readonly string[];
  readonly cited?: Omit<StoredCitations, 'chunkId'>;
  /** Whether it was imported as a chunk of another program, which ingestions never change. */
  readonly isForeign?: boolean;
}

interface Lease {
  readonly holder: symbol;
  readonly until: Date;
}

interface StoredSource extends Omit<IndexedSource, 'chunkCount'> {
  readonly supersedes?: string | undefined;
}

/** The tables of one project. */
export class ProjectTables {
  readonly sources = new Map<string, StoredSource>();
  readonly leases = new Map<string, Lease>();
  readonly #rows = new Map<string, Row>();
  #inserted = 0;
  readonly #writes = new PromiseQueue();

  /** In order of insertion. */
  rows(): readonly Row[] {
    return [...this.#rows.values()].toSorted((a, b) => a.order - b.order);
  }

  /** Last created first. */
  newestRows(): readonly Row[] {
    return [...this.#rows.values()].toSorted(byNewest);
  }

  rowsOf(ids: readonly string[]): readonly Row[] {
    return ids.flatMap((id) => this.#rows.get(id) ?? []);
  }

  count(): number {
    return this.#rows.size;
  }

  /** Stores a row after all others. */
  append(row: Omit<Row, 'order'>): void {
    this.#inserted += 1;
    this.put({ ...row, order: this.#inserted });
  }

  /** Stores a row under the id of its chunk. */
  put(row: Row): void {
    this.#rows.set(row.chunk.id, row);
  }

  delete(rows: readonly Row[]): void {
    for (const { chunk } of rows) this.#rows.delete(chunk.id);
  }

  /** Runs writes one after the other. */
  write<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#writes.run(work);
  }

  /** Resolves when the running writes are done. */
  async idle(): Promise<void> {
    await this.#writes.idle();
  }
}

export function passes(filter: ChunkFilter, chunk: Chunk): boolean {
  const { sourceTypes, excludedSources = [], tags = [] } = filter;
  const isWanted = sourceTypes === 'all' || sourceTypes.includes(chunk.sourceType);
  const hasTags = tags.every((tag) => chunk.tags?.includes(tag) === true);
  return isWanted && hasTags && !excludedSources.includes(chunk.sourceFile);
}

function byNewest(a: Row, b: Row): number {
  return Date.parse(b.chunk.createdAt) - Date.parse(a.chunk.createdAt) || b.order - a.order;
}
