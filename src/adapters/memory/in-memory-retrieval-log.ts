import type { RetrievalLog, StaleChunk } from '../../ports/driven/retrieval-log.js';
import type { ProjectTables, Row } from './project-tables.js';

/** Retrieval counts, stored with the chunks. */
export class InMemoryRetrievalLog implements RetrievalLog {
  readonly #tables: ProjectTables;

  constructor(tables: ProjectTables) {
    this.#tables = tables;
  }

  record(chunkIds: readonly string[], at: Date): Promise<void> {
    return this.#tables.write(() => {
      for (const id of chunkIds) {
        for (const row of this.#tables.rowsOf([id])) {
          const retrievalCount = row.retrievalCount + 1;
          this.#tables.put({ ...row, retrievalCount, lastRetrievedAt: at.toISOString() });
        }
      }
    });
  }

  async findUnusedSince(before: Date): Promise<readonly StaleChunk[]> {
    return this.#stale(before).map(toStaleChunk);
  }

  deleteUnusedSince(before: Date, most: number): Promise<readonly StaleChunk[]> {
    return this.#tables.write(() => {
      const stale = this.#stale(before).slice(0, most);
      this.#tables.delete(stale);
      return stale.map(toStaleChunk);
    });
  }

  #stale(before: Date): readonly Row[] {
    return this.#tables
      .rows()
      .filter(
        (row) => row.retrievalCount === 0 && Date.parse(unusedSince(row)) <= before.getTime(),
      );
  }
}

function toStaleChunk(row: Row): StaleChunk {
  return { id: row.chunk.id, sourceFile: row.chunk.sourceFile, unusedSince: unusedSince(row) };
}

function unusedSince({ chunk, lastRetrievedAt }: Row): string {
  return lastRetrievedAt ?? chunk.createdAt;
}
