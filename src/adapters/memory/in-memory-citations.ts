import type { CitationChange } from '../../domain/citations/citation-change.js';
import type { CitationStore, KeptCitations } from '../../ports/driven/citation-store.js';
import type { ProjectTables, Row } from './project-tables.js';

/** Must be called in the write that replaces the chunks. */
export function writeCitations(
  tables: ProjectTables,
  { dropped, added }: CitationChange,
  now: Date,
): void {
  const citedAt = now.toISOString();
  for (const { cited: _, ...row } of tables.rowsOf(dropped)) tables.put(row);
  for (const { chunkId, citations } of added) {
    for (const row of tables.rowsOf([chunkId])) {
      tables.put({ cited: { citedAt, citations }, ...row });
    }
  }
}

/** Citations, stored with the chunks. */
export class InMemoryCitations implements CitationStore {
  readonly #tables: ProjectTables;

  constructor(tables: ProjectTables) {
    this.#tables = tables;
  }

  async of(chunkIds: readonly string[]): Promise<readonly KeptCitations[]> {
    return this.#tables.rowsOf(chunkIds).flatMap(citationsOf);
  }

  async page(after: string | undefined, limit: number): Promise<readonly KeptCitations[]> {
    return this.#tables
      .rows()
      .flatMap(citationsOf)
      .filter(({ chunkId }) => after === undefined || chunkId > after)
      .toSorted((a, b) => (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
  }
}

function citationsOf({ chunk, cited }: Row): readonly KeptCitations[] {
  return cited === undefined ? [] : [{ chunkId: chunk.id, ...cited }];
}
